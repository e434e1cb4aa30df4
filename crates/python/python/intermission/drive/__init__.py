"""The loop: what comes out of a run is called, and what comes of that goes in again."""
