"""Procedural locomotion for legged machines: describe the legs, get walking."""
