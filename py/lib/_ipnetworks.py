"""Ranges of addresses as networks, for ipaddress."""


def summarized(first, last, width):
    """(address, length of prefix) of the networks that the ints from first to last make up."""
    while first <= last:
        free = (first & -first).bit_length() - 1 if first else width
        free = min(free, (last - first + 1).bit_length() - 1)
        yield first, width - free
        first += 1 << free


def collapsed(ranges, width):
    """The same for ranges in any order, which may touch and overlap."""
    joined = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1][1] = max(last, joined[-1][1])
        else:
            joined.append([first, last])
    for first, last in joined:
        yield from summarized(first, last, width)
