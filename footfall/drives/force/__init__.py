"""The force drive: rigid bodies chase the plan, the skeleton is solved on what was measured."""
