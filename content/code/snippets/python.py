# --- fibonacci
def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
# --- read lines
def read_lines(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line.rstrip("\n")
# --- point
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    def distance(self, other):
        return ((self.x - other.x) ** 2 + (self.y - other.y) ** 2) ** 0.5
# --- count words
from collections import Counter


def most_common(text, count=10):
    words = text.lower().split()
    return Counter(words).most_common(count)
# --- binary search
def find(items, wanted):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
# --- retry
import time


def retry(action, times=3, delay=0.5):
    for attempt in range(times):
        try:
            return action()
        except OSError:
            if attempt == times - 1:
                raise
            time.sleep(delay * 2**attempt)
# --- group by
def group_by(items, key):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
# --- timer
import time
from contextlib import contextmanager


@contextmanager
def timer(name):
    start = time.perf_counter()
    try:
        yield
    finally:
        print(f"{name}: {time.perf_counter() - start:.3f} s")
# --- flatten
def flatten(values):
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from flatten(value)
        else:
            yield value
# --- primes
def primes(limit):
    sieve = [True] * (limit + 1)
    for number in range(2, limit + 1):
        if sieve[number]:
            yield number
            for multiple in range(number * number, limit + 1, number):
                sieve[multiple] = False
# --- parse arguments
import argparse

parser = argparse.ArgumentParser(description="Count lines in files.")
parser.add_argument("files", nargs="+")
parser.add_argument("--blank", action="store_true", help="count blank lines")
options = parser.parse_args()
for name in options.files:
    print(name, options.blank)
# --- test a stack
import unittest


class StackTest(unittest.TestCase):
    def test_last_in_is_first_out(self):
        stack = [1, 2]
        stack.append(3)
        self.assertEqual(stack.pop(), 3)
        self.assertEqual(len(stack), 2)
