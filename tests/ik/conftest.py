"""Marks of the tests of inverse kinematics."""


def pytest_configure(config):
    config.addinivalue_line("markers", "row(*names): requirement rows that a test covers")
    config.addinivalue_line("markers", "case(*names): field cases that a test covers")
    config.addinivalue_line("markers", "nojit: also passes as plain Python, with NUMBA_DISABLE_JIT=1")
