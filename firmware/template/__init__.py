"""Templates at true scale: the board to be drilled or cut, and what is laid over the keypad."""
