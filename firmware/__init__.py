"""The service: input, intents, engine, journal, lights, screen and page; and the command line."""
