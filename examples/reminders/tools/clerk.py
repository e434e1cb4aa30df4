"""Answers clerk.ask by asking: the run is put away, and this program is started again when there is an answer."""

import json
import os
import sys

ASKS = 75


def main() -> None:
    asked = json.load(sys.stdin)
    resume = os.environ.get("INTERMISSION_RESUME")
    if resume is None:
        json.dump({"payload": asked}, sys.stdout)
        sys.exit(ASKS)
    json.dump(json.loads(resume)["resolution"], sys.stdout)


if __name__ == "__main__":
    main()
