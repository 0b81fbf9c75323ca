"""Cribbage itself: pure values and rules, standard library only; no clock, files, threads, randomness or printing."""
