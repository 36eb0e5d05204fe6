#!/usr/bin/env python3
"""A cluster that is not here: how long a pass takes on many machines, by a formula and by a simulation of the tree.

    bench/cluster.py            the table of docs/scale.md
    bench/cluster.py --check    the simulation against the formula and its own laws

A pass over n rows on P machines: each visits n/P rows, then states go along the tree from right to left, and the root goes to
all. With r rows a second on a machine, s bytes of a state, latency a and b bytes a second of the network,

    pass = n / (P r)  +  2 ceil(log2 P) (a + s / b)

The simulation has one event for each message. A machine that is late (a straggler) makes those late that wait for it.
"""
import math
import random
import sys

LATENCY = 20e-6  # seconds of a message over Ethernet; 2e-6 for InfiniBand
CORES = 64  # of a machine
RATE_50 = 2.4e6  # rows of 50 features that one core visits in a second for gradient and Hessian: ./run bench mpi
NETWORKS = {"10 Gb/s": 10e9 / 8, "100 Gb/s": 100e9 / 8}


def formula(work, machines, size, bandwidth):
    return work + 2 * math.ceil(math.log2(machines)) * (LATENCY + size / bandwidth)


def simulate(work, size, bandwidth):
    """The time until all have the root; work[p] is when machine p has visited its rows. Levels as in src/data/tree.h."""
    ready, step, message = list(work), 1, LATENCY + size / bandwidth
    while step < len(ready):
        for left in range(0, len(ready) - step, 2 * step):
            ready[left] = max(ready[left], ready[left + step]) + message
        step *= 2
    known, has = {0: ready[0]}, 1  # a broadcast along a binomial tree
    while has < len(ready):
        for p in range(has):
            if p + has < len(ready):
                known[p] += message
                known[p + has] = known[p]
        has *= 2
    return max(known.values())


def late(machines, work, share, factor, seed):
    """Some machines take longer by a factor."""
    draw = random.Random(seed)
    return [work * (factor if draw.random() < share else draw.uniform(1.0, 1.03)) for _ in range(machines)]


def check():
    for machines in (1, 2, 3, 7, 8, 64, 100, 1024):
        for size in (1e3, 2e6):
            even = simulate([1.0] * machines, size, 1e9)
            bound = formula(1.0, machines, size, 1e9) if machines > 1 else 1.0
            assert 1.0 <= even <= bound + 1e-9, (machines, size, even, bound)
            if machines & (machines - 1) == 0:
                assert abs(even - bound) < 1e-9, (machines, even, bound)
            one_late = simulate([1.0] * (machines - 1) + [3.0], size, 1e9)
            assert 3.0 <= one_late <= bound + 2.0 + 1e-9  # a straggler costs its delay, once
            many = [simulate(late(machines, 1.0, 0.05, 2.0, seed), size, 1e9) for seed in range(5)]
            assert all(1.0 <= time <= bound + 1.0 + 1e-9 for time in many)
    print("the simulation agrees with the formula")


def table():
    print("| rows | machines | network | pass | efficiency | with 1 % of machines at half speed |")
    print("|---|---|---|---|---|---|")
    size = 8 * 51 * 52 // 2 + 8 * 51  # one triangle of the Hessian, and the gradient
    for rows in (1e9, 1e10, 1e11):
        for machines in (64, 1024):
            for name, bandwidth in NETWORKS.items():
                work = rows / (machines * CORES * RATE_50)
                time = formula(work, machines, size, bandwidth)
                slow = simulate(late(machines, work, 0.01, 2.0, 1), size, bandwidth)
                print(f"| 10^{round(math.log10(rows))} | {machines} | {name} | {1e3 * time:.3g} ms | {100 * work / time:.0f} % | {1e3 * slow:.3g} ms |")


check() if "--check" in sys.argv else table()
