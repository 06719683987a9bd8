"""What programs of the vendor's SDKs found other than it was sent; all of it is told before the program ends."""

import json
import sys
import time
import traceback


class Checks:
    def __init__(self):
        self.count = 0
        self.wrong = []

    def same(self, what, got, expected):
        self.count += 1
        if got != expected:
            self.wrong.append(f"{what}: expected {expected!r}, got {got!r}")

    def true(self, what, holds):
        self.same(what, bool(holds), True)

    def fails(self, what, call):
        """A call that has to fail."""
        self.count += 1
        try:
            call()
        except Exception:
            return
        self.wrong.append(f"{what}: did not fail")

    def soon(self, what, read, expected):
        """What becomes so within half a minute, because it travels through Kafka."""
        self.count += 1
        got = None
        for _ in range(120):
            got = read()
            if got == expected:
                return
            time.sleep(0.25)
        self.wrong.append(f"{what}: expected {expected!r}, got {got!r} after 30 s")

    def part(self, name, run):
        """Runs a part; the others run even when it cannot go on."""
        try:
            run()
        except Exception:
            self.wrong.append(f"{name}: {traceback.format_exc()}")

    def end(self, *what):
        for one in self.wrong:
            print("WRONG " + one)
        print(", ".join([*what, f"{self.count} checks"]))
        sys.exit(1 if self.wrong else 0)


def world():
    with open(sys.argv[1], encoding="utf-8") as file:
        return json.load(file)
