"""Drives answer two questions: what is the body doing (sense), and what became of the plan (act)."""
