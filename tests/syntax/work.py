"""Functions that a worker process can import."""

import os
import time


def double(item: int) -> int:
    return 2 * item


def fragile(item: int) -> int:
    if item == 13:
        os._exit(3)
    if item == 14:
        raise ValueError("secret source text")
    if item == 15:
        print("noise on standard output")
    return item


def slow(item: float) -> float:
    time.sleep(item)
    return item


def dies_once(marker: str) -> str:
    if not os.path.exists(marker):
        with open(marker, "w", encoding="ascii"):
            os._exit(9)
    return marker


def process(_item: int) -> int:
    return os.getpid()


def pid_or_sleep(item: float) -> int:
    time.sleep(item)
    return os.getpid()
