"""A walk as one page that anybody can open: numbers against their limits, and plots of the motion."""

from footfall.report.page import write_report

__all__ = ["write_report"]
