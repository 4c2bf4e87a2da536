"""Draw the figures of the pages that come from the code itself: gaits.svg, swing.svg, legs.svg, springs.svg.

python docs/figures.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import footfall as ff
from footfall.arc import Profile, Swing, lift_share, move_share
from footfall.gaits import LIBRARY, places
from footfall.records import to_records
from footfall.spring import follower, ring, spring_matrix

OUT = Path(__file__).parent / "images"
INK, SOFT, COLOURS = "#263238", "#b0bec5", ("#e0662f", "#2a8fbd", "#5b8c3a", "#c9a227", "#8e5bb0")
plt.rcParams |= {
    "svg.fonttype": "none", "svg.hashsalt": "footfall", "font.family": "sans-serif", "font.size": 9,
    "axes.edgecolor": SOFT, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.prop_cycle": plt.cycler(color=COLOURS),
}  # fmt: skip


def save(figure: plt.Figure, name: str) -> None:
    """Write one figure, the same bytes each time."""
    figure.savefig(OUT / name, metadata={"Date": None, "Creator": None}, bbox_inches="tight", pad_inches=0.05)
    plt.close(figure)
    print(f"wrote {OUT / name}")


def draw_gaits() -> None:
    """Hildebrand's diagram of every gait of the library, for four and for six legs."""
    rests = {
        "four legs": ([(-1, 1), (1, 1), (-1, -1), (1, -1)], ["LH", "LF", "RH", "RF"]),
        "six legs": ([(-1, 1), (0, 1), (1, 1), (-1, -1), (0, -1), (1, -1)], ["L1", "L2", "L3", "R1", "R2", "R3"]),
    }
    figure, axes = plt.subplots(2, len(LIBRARY), figsize=(11.5, 2.9), height_ratios=(4, 6), sharex=True)
    for number, (title, (rest, names)) in enumerate(rests.items()):
        row = axes[number]
        where = places(np.array(rest, float))
        for plot, (name, gait) in zip(row, LIBRARY.items(), strict=True):
            duty = gait.duty_factor(len(names))
            for leg, offset in enumerate(gait.offsets(where)):
                for turn in (-1, 0, 1):  # in stance while frac(phase + offset) is less than the duty factor
                    start, end = np.clip((turn - offset, turn - offset + duty), 0.0, 1.0)
                    if end > start:
                        plot.barh(leg, end - start, left=start, height=0.62, color=INK)
            plot.set(xlim=(0, 1), xticks=[0, 1], ylim=(len(names) - 0.4, -0.6), yticks=range(len(names)))
            plot.set_yticklabels(names if name == "wave" else [""] * len(names), fontsize=7)
            plot.tick_params(length=0, labelsize=7)
            if number == 0:
                plot.set_title(name, fontsize=9)
            else:
                plot.set_xlabel("phase", fontsize=7)
        row[0].set_ylabel(title, fontsize=8)
    save(figure, "gaits.svg")


def draw_swing() -> None:
    """The three profiles over progress, and the arcs that they make."""
    u = np.linspace(0.0, 1.0, 201)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10.5, 2.6))
    for profile in Profile:
        swing = to_records([Swing(profile=profile)], Swing)[0]
        height = [lift_share(swing, share) for share in u]
        left.plot(u, height, label=profile.name)
        right.plot([move_share(swing, share, 0) for share in u], height)
    swing = to_records([Swing()], Swing)[0]
    quadruped = to_records([ff.load_machine("quadruped").file.swing], Swing)[0]
    moves = (("0 to 1", swing, 0, "-"), ("quadruped: 0.08 to 0.82", quadruped, 0, "--"), ("steep", swing, 1, ":"))
    for label, which, steep, style in moves:
        way = [move_share(which, share, steep) for share in u]
        middle.plot(u, way, label=label, color=INK, linestyle=style)
    left.set(xlabel="progress u", ylabel="share of the lift", title="lift")
    middle.set(xlabel="progress u", ylabel="share of the way", title="move")
    right.set(xlabel="share of the way", ylabel="share of the lift", title="arc")
    left.legend(frameon=False, fontsize=8)
    middle.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    save(figure, "swing.svg")


def draw_legs() -> None:
    """A leg of each solver, at rest, seen across its own plane."""
    figure, axes = plt.subplots(1, 4, figsize=(10.5, 2.9))
    shown = (("biped", "left_leg", "pantograph"), ("quadruped", "left_hind", "three_segment"),
             ("spider", "left_leg_1", "fabrik"), ("crawler", "left_middle", "chain"))  # fmt: skip
    for plot, (name, leg, solver) in zip(axes, shown, strict=True):
        machine = ff.load_machine(name)
        world = ff.make_terrain("flat", machine.leg_length).world
        frame = ff.show(machine, ff.initial_state(machine, world), ff.idle_command(1), world)
        row = machine.rig.leg_table[machine.rig.leg_names.index(leg)]
        joints = frame.joints.position[0, row["first_joint"] : row["first_joint"] + row["bones"] + 1]
        axis = joints[-1] - joints[0]
        side = axis[:2] + 1e-3 if name in ("spider", "crawler") else np.array([1.0, 0.0])
        across = joints[:, :2] @ (side / np.linalg.norm(side))
        across, size = (across - across[0]) / machine.leg_length, machine.leg_length
        plot.plot(across, joints[:, 2] / size, color=INK, linewidth=3, solid_capstyle="round")
        plot.plot(across[:-1], joints[:-1, 2] / size, "o", color="white", markeredgecolor=INK, markersize=7)
        plot.plot(across[-1], joints[-1, 2] / size, "o", color=COLOURS[0], markersize=6, zorder=3)
        plot.axhline(0.0, color=SOFT, linewidth=1, zorder=0)
        plot.text(across[0], joints[0, 2] / size + 0.07, "hip", ha="center", fontsize=8)
        plot.text(across[-1] + 0.06, joints[-1, 2] / size - 0.11, "sole", fontsize=8)
        middle = 0.5 * (across.min() + across.max())
        plot.set(aspect="equal", xlim=(middle - 0.62, middle + 0.62), ylim=(-0.18, 1.0), xticks=[], yticks=[])
        plot.set_title(f"{solver}\n({name}, {leg.replace('_', ' ')})", fontsize=9)
        plot.spines[:].set_visible(False)
    save(figure, "legs.svg")


def draw_springs() -> None:
    """The body's follower and its impact spring, each at two steps of time."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 2.4))
    carriage = ff.load_machine("quadruped").file.body
    for step, style in ((1 / 240, "-"), (1 / 12, "o")):
        times = np.arange(0.0, 2.5 + 0.5 * step, step)
        x, v, y, w, followed, rung = 1.0, 0.0, 0.0, -carriage.impact_kick, [], []
        for _ in times:
            followed.append(1.0 - x)
            rung.append(100.0 * y)
            x, v = ring(follower(carriage.height_time, step), x, v)
            y, w = ring(spring_matrix(carriage.impact_stiffness**0.5, carriage.impact_damping, step), y, w)
        label = f"steps of {1000 * step:.0f} ms"
        left.plot(times, followed, style, color=COLOURS[1] if style == "-" else INK, markersize=3, label=label)
        right.plot(times, rung, style, color=COLOURS[0] if style == "-" else INK, markersize=3, label=label)
    left.set(title="height after a step of the ground, height_time 0.5 s", xlabel="s", ylabel="share of the step")
    right.set(title="impact spring after a landing", xlabel="s", ylabel="cm")
    for plot in (left, right):
        plot.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    save(figure, "springs.svg")


if __name__ == "__main__":
    draw_gaits()
    draw_swing()
    draw_legs()
    draw_springs()
