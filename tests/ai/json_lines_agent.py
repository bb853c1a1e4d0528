"""A program that speaks the protocol of `ai.process_agent`, well or as badly as it is told."""

from __future__ import annotations

import json
import sys
import time

BAD_ANSWERS = {
    "garbage": "{",
    "list": "[]",
    "old": '{"id": 0, "turn": ["end"]}',
    "no turn": '{"id": 1}',
    "unknown": '{"id": 1, "turn": ["jump", "end"]}',
    "illegal": '{"id": 1, "turn": ["end"]}',
    "flood": "x" * (1 << 21),
}


def main(behaviour: str) -> None:
    for line in sys.stdin:
        if behaviour == "die":
            sys.exit("what\nout of ideas \x1b[31m")
        if behaviour == "hang":
            time.sleep(600)
        print(BAD_ANSWERS.get(behaviour) or good_answer(line), flush=True)


def good_answer(line: str) -> str:
    import ai
    import looot_core as lc

    question = json.loads(line)
    agent = ai.create_agent("random", seed=question["seed"])
    position = lc.Position.from_dict(question["position"])
    turn = agent.analyze(position, ai.Limits(**question["limits"])).turn
    return json.dumps({"id": question["id"], "turn": [str(action) for action in turn]})


if __name__ == "__main__":
    main(sys.argv[1])
