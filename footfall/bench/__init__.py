"""The bench: what a tick costs, against a plain scalar C program that does the same work.

``c_types`` to ``c_program`` write that program from the very kernels that a tick runs, so it is the same work whatever
the kernels become; ``compiled`` builds it and calls it on the same arrays; ``measure`` lets both take turns.
"""
