"""Simulated twins of every part, at the wire: what the real driver sends is decoded into what a person would see."""
