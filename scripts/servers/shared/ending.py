"""Ends servers: all, or those that nobody uses. Callers hold the lock of `locked`."""

import sys
import time

from . import RUNNING, keeper, unused, write_list


def end_all():
    return end_of(keeper.listed())


def end_unused():
    """Ends what runs while it is used, unless somebody still uses servers."""
    nobody = nobody_uses()
    if nobody is None:
        print("stop: the servers are still used")
        return 0
    with nobody:
        return end_of({name: entry for name, entry in keeper.listed().items() if entry["while_used"]})


def nobody_uses():
    """As `unused`; a keeper, too, has the file open for a moment, when it looks whether to end."""
    for _ in range(10):
        if nobody := unused():
            return nobody
        time.sleep(0.02)
    return None


def end_of(ended):
    """Ends servers, and what they left: processes whose keeper was killed."""
    left = keeper.end_keepers({entry["keeper"] for entry in ended.values()})
    if left:
        print(f"stop: keepers that do not end: {left}", file=sys.stderr)
        return 1
    kept = {name: entry for name, entry in keeper.listed().items() if name not in ended}
    keeper.kill_inhabitants(kept)
    write_list(kept)
    print(f"stop: {len(ended)} ended")
    return 0
