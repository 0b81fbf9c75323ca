"""Pins, bytes and light: real parts and their simulated twins behind the same ports. Knows no cribbage."""
