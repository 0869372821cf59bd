"""How many kills there are, and which seeds choose their moments."""

import os

KILLS = int(os.environ.get("FAULTS_KILLS", "10"))
"""Kills of runs; merges and regrades are killed in proportion."""

KILLS_A_RUN = 5
"""How often a run is killed before it is resumed to its end."""

FIRST_SEED = int(os.environ.get("FAULTS_SEED", "1"))

SEEDS = range(FIRST_SEED, FIRST_SEED + max(1, KILLS // KILLS_A_RUN))
"""One for each run."""
