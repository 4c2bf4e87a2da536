"""Files: what is right loads exactly, what is wrong is said at once, with its place, and never with a traceback."""

from __future__ import annotations

import enum
import io
import math
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from footfall.documents import field_docs, load_document, parse_document, parse_key_path
from footfall.errors import FileError
from footfall.rig import Aim, Camera, Leg, Solver, Trunk


class Colour(enum.IntEnum):
    red = 0
    dark_green = 1


@dataclass(frozen=True)
class Slope:
    kind: Literal["slope"]
    angle: Annotated[float, Gt(-1.5), Lt(1.5)]
    """Angle [rad]."""


@dataclass(frozen=True)
class Steps:
    kind: Literal["steps"]
    riser: Annotated[float, Gt(0)]
    """Height of a step [leg lengths]."""
    count: int = 10


@dataclass(frozen=True)
class Joint:
    axis: tuple[float, float, float]
    """Axis, trunk frame."""
    lower: float = -math.pi
    """Smallest angle [rad]."""
    limits: tuple[tuple[float, float], ...] = ()
    """Pairs of angles [rad]."""


@dataclass(frozen=True)
class Everything:
    """One of each kind of field."""

    name: str
    """What it is called."""
    speed: Annotated[float, Ge(0), Le(10)] = 1.0
    """Speed [m/s]."""
    knee: Annotated[float, Ge(0), Le(math.pi)] = 1.0
    """Angle
    of the knee [rad]."""
    turns: tuple[float, float] = (0.0, 0.0)
    """Two angles [rad]."""
    turn: float | None = None
    """Rate of turn [rad/s]."""
    count: Annotated[int, Ge(1)] = 1
    on: bool = False
    colour: Colour = Colour.red
    colours: tuple[Colour, ...] = ()
    mode: Literal["fast", "slow"] = "fast"
    lengths: Annotated[tuple[Annotated[float, Gt(0)], ...], MinLen(1), MaxLen(3)] = (1.0,)
    joints: tuple[Joint, ...] = ()
    main: Joint | None = None
    ground: Slope | Steps | None = None
    size: float | tuple[float, float] = 1.0
    table: dict[str, float] = field(default_factory=dict)
    parts: dict[str, Joint] = field(default_factory=dict)
    anything: Any = None


@dataclass(frozen=True)
class Ordered:
    low: float
    high: float

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"low {self.low:g} is above high {self.high:g}")


@dataclass(frozen=True)
class Holder:
    ranges: tuple[Ordered, ...]


@dataclass(frozen=True)
class Machine:
    legs: tuple[Leg, ...]
    trunks: tuple[Trunk, ...] = ()
    aims: tuple[Aim, ...] = ()
    cameras: tuple[Camera, ...] = ()


def load(text: str, declaration: type = Everything, check: Any = None) -> Any:
    return parse_document(text, "mech.yaml", declaration, check)


def faults(text: str, declaration: type = Everything, check: Any = None) -> list[str]:
    with pytest.raises(FileError) as caught:
        load(text, declaration, check)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(caught.value.faults), "one line for each fault"
    assert all(line.startswith("mech.yaml") for line in lines)
    return [line.removeprefix("mech.yaml:") for line in lines]


def fault(text: str, declaration: type = Everything, check: Any = None) -> str:
    found = faults(text, declaration, check)
    assert len(found) == 1, found
    return found[0]


# --- what is right ----------------------------------------------------------------------------------------------


def test_a_file_fills_the_dataclass_and_defaults_stay():
    assert load("name: a\nspeed: 2\n") == Everything("a", speed=2.0)
    assert type(load("name: a\nspeed: 2\n").speed) is float


def test_lists_become_tuples_and_nested_mappings_dataclasses():
    loaded = load("name: a\njoints:\n  - axis: [0, 0, 1]\n    lower: -1\nmain: {axis: [1, 0, 0]}\n")
    assert loaded.joints == (Joint((0.0, 0.0, 1.0), -1.0),)
    assert loaded.main == Joint((1.0, 0.0, 0.0))


def test_a_leg_of_the_rig_loads_with_its_enum_by_name():
    text = """
legs:
  - name: front_left
    hip: [0.5, 0.3, 0]
    rest: [0.5, 0.4]
    segments: [0.5, 0.5]
    solver: fabrik
    knee_min_deg: 20
"""
    leg = load(text, Machine).legs[0]
    assert leg == Leg(
        "front_left", (0.5, 0.3, 0.0), (0.5, 0.4), (0.5, 0.5), solver=Solver.fabrik, knee_min=math.radians(20)
    )
    assert type(leg.solver) is Solver


def test_degrees_are_converted_once_wherever_numbers_stand():
    loaded = load(
        "name: a\nknee_deg: 180\nturns_deg: [90, -45]\nturn_deg: 30\n"
        "joints:\n  - {axis: [0, 0, 1], lower_deg: -90, limits_deg: [[0, 90], [-10, 10]]}\n"
    )
    assert loaded.knee == math.pi
    assert loaded.turns == (math.radians(90), math.radians(-45))
    assert loaded.turn == math.radians(30)
    assert loaded.joints[0].lower == math.radians(-90)
    assert loaded.joints[0].limits == ((0.0, math.radians(90)), (math.radians(-10), math.radians(10)))


def test_degrees_reach_into_a_union():
    assert load("name: a\nground: {kind: slope, angle_deg: 15}").ground == Slope("slope", math.radians(15))


def test_a_union_takes_the_member_that_its_tag_names():
    assert load("name: a\nground: {kind: steps, riser: 0.1}").ground == Steps("steps", 0.1)
    assert load("name: a\nground:\n").ground is None
    assert load("name: a\nsize: 2").size == 2.0
    assert load("name: a\nsize: [1, 2]").size == (1.0, 2.0)


@pytest.mark.parametrize(
    "text, value", [("1e3", 1000.0), ("1.0e3", 1000.0), ("+5.", 5.0), (".5", 0.5), ("-1e-3", -0.001)]
)
def test_numbers_are_numbers_in_every_spelling(text, value):
    assert load(f"name: a\ntable: {{x: {text}}}").table == {"x": value}


@pytest.mark.parametrize("word", ["no", "yes", "on", "off", "NO", "y", "1:30", "2020-01-01", "=", "<<"])
def test_words_that_yaml_1_1_would_change_stay_text(word):
    assert load(f"name: {word}").name == word


def test_leading_zeros_do_not_make_a_number_octal():
    assert load("name: a\ncount: 012").count == 12


def test_whole_floats_count():
    assert load("name: a\ncount: 1e1").count == 10
    assert type(load("name: a\ncount: 1e1").count) is int


def test_anchors_and_aliases_are_followed():
    loaded = load("name: a\njoints:\n  - &first {axis: [0, 0, 1]}\n  - *first\n")
    assert loaded.joints[0] == loaded.joints[1]


def test_comments_byte_order_marks_and_document_starts_are_no_matter(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbf# a comment\r\n---\r\nname: a  # text\r\n")
    assert load_document(path, Everything) == Everything("a")


# --- what is wrong ----------------------------------------------------------------------------------------------


def test_an_unknown_enum_member_is_answered_with_the_names():
    text = "legs:\n- name: a\n  hip: [0, 0, 0]\n  rest: [0, 0]\n  segments: [1, 1]\n  solver: fabrick\n"
    assert fault(text, Machine) == (
        "6:11: legs[0].solver is 'fabrick'; allowed: two_bone, pantograph, three_segment, fabrik, chain"
    )


def test_an_enum_member_is_not_given_by_number():
    assert fault("name: a\ncolour: 1") == "2:9: colour is 1; allowed: red, dark_green"
    assert fault("name: a\ncolours: [red, blue]") == "2:16: colours[1] is 'blue'; allowed: red, dark_green"


def test_every_fault_is_said_at_once_in_the_order_of_the_file():
    text = """
legs:
  - name: a
    hip: [0, 1]
    rest: [.nan, 1e999]
    segments: [0, -1, 0.5]
    solver: fabrick
    knee_min_deg: 200
    hips: 3
    hinges:
      - {axis: [0,0,1], lower_deg: -90, uper: 3}
      - 3
    fixed_loop: no
    name: b
  - name: 12
    segments: []
trunks:
"""
    found = faults(text, Machine)
    assert [line.split(" ")[0] + " " + line.split(" ")[1] for line in found] == [
        "4:5: legs[0].hip",
        "5:12: legs[0].rest[0]",
        "5:18: legs[0].rest[1]",
        "6:16: legs[0].segments[0]",
        "6:19: legs[0].segments[1]",
        "7:13: legs[0].solver",
        "8:19: legs[0].knee_min_deg",
        "9:5: legs[0].hips",
        "11:41: legs[0].hinges[0].uper",
        "12:9: legs[0].hinges[1]",
        "13:17: legs[0].fixed_loop",
        "14:5: legs[0].name",
        "15:5: legs[1].hip",
        "15:5: legs[1].rest",
        "15:11: legs[1].name",
        "16:5: legs[1].segments",
        "17:1: trunks",
    ]


def test_an_unknown_key_is_answered_with_the_nearest_known_one():
    assert fault("name: a\nspede: 1") == "2:1: spede is not a known key; did you mean speed?"
    assert fault("name: a\nkne_deg: 1") == "2:1: kne_deg is not a known key; did you mean knee_deg?"
    assert fault("name: a\nSpeed: 1") == "2:1: Speed is not a known key; did you mean speed?"


def test_an_unknown_key_like_no_other_is_answered_with_all_known_keys():
    found = fault("name: a\nzzz: 1")
    assert found.startswith("2:1: zzz is not a known key; known keys: name, speed, knee")


def test_a_misspelt_required_key_is_one_fault():
    assert fault("nam: a") == "1:1: nam is not a known key; did you mean name?"


def test_a_missing_key_says_what_belongs_there():
    assert fault("speed: 1") == "1:1: name is missing; allowed: text (What it is called)"
    assert (
        fault("name: a\njoints:\n  - lower: 1\n")
        == "3:5: joints[0].axis is missing; allowed: 3 numbers (Axis, trunk frame)"
    )
    assert fault("name: a\nground: {kind: steps}").startswith("2:1: ground.riser is missing; allowed: a number > 0")


@pytest.mark.parametrize("value", [".nan", ".NaN", ".inf", "-.inf", "+.Inf", "1e999", "-1e999", "1" + "0" * 400])
@pytest.mark.parametrize(
    "line",
    ["speed: {}", "table: {{x: {}}}", "anything: [1, {{a: {}}}]", "size: {}", "knee_deg: {}", "count: {}", "turn: {}"],
)
def test_numbers_that_are_not_finite_are_refused_everywhere(line, value):
    found = fault("name: a\n" + line.format(value))
    assert found.startswith("2:") and "not a finite number" in found and value[:50] in found


@pytest.mark.parametrize(
    "line, message",
    [
        ("speed: fast", "2:8: speed is 'fast'; allowed: a number >= 0, <= 10"),
        ("speed: '1'", "2:8: speed is '1'; allowed: a number >= 0, <= 10"),
        ("speed: 1.5 m/s", "2:8: speed is '1.5 m/s'; allowed: a number >= 0, <= 10"),
        ("speed: -1.57.", "2:8: speed is '-1.57.'; allowed: a number >= 0, <= 10"),
        ("speed: true", "2:8: speed is true; allowed: a number >= 0, <= 10"),
        ("speed: [1]", "2:1: speed is [1]; allowed: a number >= 0, <= 10"),
        ("speed:", "2:1: speed is empty; allowed: a number >= 0, <= 10"),
        ("speed: 11", "2:8: speed is 11; allowed: a number >= 0, <= 10"),
        ("knee_deg: 200", "2:11: knee_deg is 200; allowed: a number >= 0, <= 180 (degrees)"),
        ("turns: [1, 2, 3]", "2:1: turns is [1, 2, 3]; allowed: 2 numbers"),
        ("turns: 1", "2:8: turns is 1; allowed: 2 numbers"),
        ("count: 1.5", "2:8: count is 1.5; allowed: a whole number >= 1"),
        ("count: 0", "2:8: count is 0; allowed: a whole number >= 1"),
        ("on: yes", "2:5: on is 'yes'; allowed: true, false"),
        ("on: 1", "2:5: on is 1; allowed: true, false"),
        ("mode: Fast", "2:7: mode is 'Fast'; allowed: fast, slow"),
        ("lengths: []", "2:1: lengths is []; allowed: a list of numbers > 0, at least 1 of them, at most 3 of them"),
        ("lengths: [1, 0]", "2:14: lengths[1] is 0; allowed: a number > 0"),
        ("lengths: [1, 1, 1, 1]",
         "2:1: lengths is [1, 1, 1, 1]; allowed: a list of numbers > 0, at least 1 of them, at most 3 of them"),
        ("table: [1]", "2:1: table is [1]; allowed: a mapping of names to numbers"),
        ("table: {a: b}", "2:12: table.a is 'b'; allowed: a number"),
        ("main: 3", "2:7: main is 3; allowed: keys axis, lower, limits"),
        ("joints: {a: 1}", "2:1: joints is a mapping; allowed: a list of mappings with keys axis, lower, limits"),
        ("parts: {x: {axis: 1}}", "2:19: parts.x.axis is 1; allowed: 3 numbers"),
        ("size: big", "2:7: size is 'big'; allowed: a number or 2 numbers"),
        ("size: [1, a]", "2:11: size[1] is 'a'; allowed: a number"),
        ("ground: {kind: stairs, riser: 1}", "2:16: ground.kind is 'stairs'; allowed: slope, steps"),
        ("ground: {riser: 1}", "2:1: ground.kind is missing; allowed: slope, steps"),
        ("ground: {kind: [1]}", "2:16: ground.kind is [1]; allowed: slope, steps"),
        ("ground: 3", "2:9: ground is 3; allowed: keys kind, angle or keys kind, riser, count"),
        ("ground: {kind: steps, riser: 0}", "2:30: ground.riser is 0; allowed: a number > 0"),
        ("ground: {kind: slope, angle_deg: 90}",
         "2:34: ground.angle_deg is 90; allowed: a number > -85.9437, < 85.9437 (degrees)"),
        ("speed: !!int x", "2:8: speed is x, which is not of the type int"),
        ("speed: !metres 3", "2:8: speed is 3, which has the tag !metres; allowed: no tags"),
        ("speed_deg: 3", "2:1: speed_deg is not an angle; did you mean speed?"),
        ("count_deg: 3", "2:1: count_deg is not an angle; did you mean count?"),
        ("knee: 1\nknee: 2", "3:1: knee is given twice, first on line 2"),
        ("knee: 1\nknee_deg: 2", "3:1: knee_deg is given twice, once with _deg and once without"),
        ("table: {a: 1, a: 2}", "2:15: table.a is given twice, first on line 2"),
        ("? [1, 2]\n: 3", "2:3: the file has a key that is [1, 2]; allowed: names"),
        ("joints: &a [*a]", "2:9: joints[0] contains itself"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_one_line_with_its_place(line, message):
    assert fault(f"name: a\n{line}\n") == message


def test_a_number_where_text_belongs_asks_for_text():
    assert fault("name: 12") == "1:7: name is 12; allowed: text"


def test_long_and_odd_values_stay_on_one_short_line():
    found = fault("name: a\nspeed: " + "x" * 10_000)
    assert len(found) < 200
    assert "\n" not in fault('name: a\n"a\\nb": 1')
    assert len(fault("name: a\nspeed: " + "9" * 300 + "\n")) < 200


def test_a_dataclass_that_refuses_its_values_is_heard():
    text = "ranges:\n  - {low: 0, high: 1}\n  - {low: 2, high: 1}\n"
    assert fault(text, Holder) == "3:5: ranges[1]: low 2 is above high 1"
    assert fault("low: 2\nhigh: 1\n", Ordered) == "1:1: low 2 is above high 1"


def test_many_faults_are_cut_short():
    found = faults("name: a\njoints: [" + "1, " * 1000 + "]")
    assert len(found) == 201
    assert found[-1].strip() == "and 800 more faults"


# --- checks of the caller ----------------------------------------------------------------------------------------


def test_a_check_of_the_caller_is_placed_at_its_key():
    def check(machine):
        yield "speed", "is more than the legs can do"
        yield ("joints", 0, "axis", 2), "is wrong"
        yield "joints[0].lower", "is above its upper limit"
        yield "mode", "does not go with this"

    text = "name: a\njoints:\n  - axis: [0, 0, 1]\n    lower_deg: 5\nspeed: 2\n"
    assert faults(text, check=check) == [
        "1:1: mode does not go with this",
        "3:18: joints[0].axis[2] is wrong",
        "4:16: joints[0].lower_deg is above its upper limit",
        "5:8: speed is more than the legs can do",
    ]


def test_a_check_sees_only_valid_instances():
    def check(machine):
        raise AssertionError("called")

    assert "speed" in fault("name: a\nspeed: x", check=check)


def test_a_check_without_faults_lets_the_instance_through():
    assert load("name: a", check=lambda machine: []) == Everything("a")


def test_key_paths_read_as_they_are_written():
    assert parse_key_path("legs[0].hip[2]") == ("legs", 0, "hip", 2)
    assert parse_key_path("") == ()
    assert parse_key_path("[3].a") == (3, "a")


# --- files that are no documents ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, message",
    [
        ("", " is empty"),
        ("# only a comment\n", " is empty"),
        ("just text\n", "1:1: holds 'just text', not keys and values"),
        ("- 1\n- 2\n", "1:1: holds [1, 2], not keys and values"),
        ("a:\n\t- 1\n", "2:1: a tab where YAML allows only spaces; indent with spaces"),
        ("a: [1, 2\nb: 3\n", "2:2: expected ',' or ']', but got ':' while parsing a flow sequence"),
        ("a: b: c\n", "1:5: mapping values are not allowed here"),
        ("a: 1\n---\nb: 2\n", "2:1: a second document starts here; allowed: one document a file"),
        ("a: *b\n", "1:4: found undefined alias 'b'"),
        ("a: \x07\n", "1:4: is not a text file: control character 0x07"),
        ("a: 1\nb: \x00\n", "2:4: is not a text file: control character 0x00"),
        ("%YAML 1.1\n---\na: no\n", "1:1: is marked as YAML 1.1; allowed: 1.2"),
        ("[" * 5000, " is nested too deeply"),
    ],
    ids=lambda value: value[:20],
)
def test_text_that_is_no_document_is_one_clear_line(text, message):
    assert fault(text) == message


def test_aliases_that_multiply_are_stopped():
    levels = ["name: a", "anything:", "- &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    levels += [f"- &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 10)]
    assert "has more than 200,000 values" in fault("\n".join(levels))


def refusal(path: Any) -> str:
    with pytest.raises(FileError) as caught:
        load_document(path, Everything)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(str(path))


def test_files_that_cannot_be_read_are_one_clear_line(tmp_path):
    assert refusal(tmp_path / "none.yaml") == ": there is no such file"
    assert refusal(tmp_path) == ": is a directory, not a file"
    assert refusal("") == ": there is no such file"
    assert refusal("a\0b") == ": is not a file name"
    assert refusal("x" * 5000).startswith(": cannot be read: ")


def test_a_file_below_a_file_is_one_clear_line(tmp_path):
    (tmp_path / "a").write_text("")
    assert refusal(tmp_path / "a" / "b").startswith(": cannot be read: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_and_devices_are_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == ": is not a regular file"
    assert refusal("/dev/zero") == ": is not a regular file"


def test_pictures_and_other_bytes_are_refused(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    assert refusal(path) == ": is not a text file in UTF-8: byte 0x89 at offset 0"
    path.write_bytes("name: a\n".encode("utf-16"))
    assert refusal(path).startswith(": is not a text file in UTF-8")
    path.write_bytes(b"glTF\x02\x00\x00\x00")
    assert "is not a text file" in refusal(path)


def test_a_file_of_one_word_is_refused(tmp_path):
    path = tmp_path / "hostname"
    path.write_text("machine-1\n")
    assert refusal(path) == ":1:1: holds 'machine-1', not keys and values"


def test_huge_files_are_refused_unread(tmp_path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(50_000_000_000)
    assert refusal(path) == ": has 50000.0 MB; the limit is 5 MB"


def test_errors_name_the_file_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bad.yaml").write_text("name: a\nspeed: x\n")
    with pytest.raises(FileError) as caught:
        load_document("bad.yaml", Everything)
    assert str(caught.value) == "bad.yaml:2:8: speed is 'x'; allowed: a number >= 0, <= 10"
    found = caught.value.faults[0]
    assert (found.file, found.line, found.column) == ("bad.yaml", 2, 8)


# --- docstrings ----------------------------------------------------------------------------------------------------


def test_docstrings_of_fields_are_found():
    docs = field_docs(Everything)
    assert docs["name"] == "What it is called."
    assert docs["knee"] == "Angle\nof the knee [rad]."
    assert "count" not in docs


@pytest.mark.parametrize("declaration", [Leg, Aim, Camera])
def test_docstrings_of_the_rig_are_found(declaration):
    assert set(field_docs(declaration)) >= {entry.name for entry in fields(declaration)} - {"name", "trunk"} - {
        "end_part"
    } - {"base_part"}


# --- properties ----------------------------------------------------------------------------------------------------

numbers = st.floats(allow_nan=False, allow_infinity=False)
lengths = st.floats(min_value=1e-6, max_value=1e6)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]), max_size=12)
vectors = st.tuples(numbers, numbers, numbers)
joints = st.builds(Joint, vectors, numbers, st.lists(st.tuples(numbers, numbers), max_size=3).map(tuple))
everything = st.builds(
    Everything,
    name=words,
    speed=st.floats(0, 10),
    knee=st.floats(0, math.pi),
    turns=st.tuples(numbers, numbers),
    turn=st.none() | numbers,
    count=st.integers(1, 10**9),
    on=st.booleans(),
    colour=st.sampled_from(Colour),
    colours=st.lists(st.sampled_from(Colour), max_size=3).map(tuple),
    mode=st.sampled_from(["fast", "slow"]),
    lengths=st.lists(lengths, min_size=1, max_size=3).map(tuple),
    joints=st.lists(joints, max_size=2).map(tuple),
    main=st.none() | joints,
    ground=st.none()
    | st.builds(Slope, st.just("slope"), st.floats(-1, 1))
    | st.builds(Steps, st.just("steps"), lengths),
    size=numbers | st.tuples(numbers, numbers),
    table=st.dictionaries(words, numbers, max_size=3),
    parts=st.dictionaries(words, joints, max_size=2),
)


def plain(value: Any) -> Any:
    """Plain data as a file would hold it."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value


def dump(data: Any) -> str:
    stream = io.StringIO()
    yaml = YAML(typ="safe", pure=True)
    yaml.allow_unicode = True
    yaml.default_flow_style = False  # in braces a key like ?0 is not read back
    yaml.width = 10**6  # no line is folded: a key that goes over one is none
    yaml.dump(data, stream)
    return stream.getvalue()


@given(everything)
def test_what_is_written_is_read_back_exactly(instance):
    assert load(dump(plain(asdict(instance)))) == instance


@given(st.floats(-1e6, 1e6))
def test_degrees_are_the_same_angle(angle):
    loaded = load(dump({"name": "a", "turn_deg": angle}))
    assert loaded.turn == math.radians(angle)


@given(st.text())
@example("\t")
@example("a: !!binary x")
@example("&a : *a")
@example("? ")
@example("{")
@example("a: !!timestamp x")
@example("a: |\n")
@example("%TAG ! x\n--- !y")
def test_any_text_loads_or_is_refused_with_a_place(text):
    try:
        load(text)
    except FileError as error:
        assert error.faults
        assert len(str(error).splitlines()) == len(error.faults)


@given(st.text(alphabet="aname:speed-[]{}&*!?|>'\"#%@,.01 \n\t", max_size=60))
def test_any_scrap_of_yaml_loads_or_is_refused_with_a_place(text):
    test_any_text_loads_or_is_refused_with_a_place.hypothesis.inner_test(text)


keys = st.sampled_from([entry.name for entry in fields(Everything)])
scraps = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys | words, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(keys, scraps))
def test_values_of_any_shape_load_or_are_refused_with_their_line(data):
    try:
        load(dump(data))
    except FileError as error:
        assert all(found.line is not None and found.column is not None for found in error.faults if data)
        assert len(str(error).splitlines()) == len(error.faults)


@given(st.binary(max_size=200))
def test_any_bytes_load_or_are_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "bytes.yaml"
    path.write_bytes(data)
    try:
        load_document(path, Everything)
    except FileError as error:
        assert error.faults
