from collections import deque
for v in (deque(), deque([1]), deque([1, 2]), deque("abc", maxlen=3), [1, 2]):
    match v:
        case []:
            print("empty")
        case [x]:
            print("one", x)
        case [a, b]:
            print("two", a, b)
        case [first, *rest]:
            print("more", first, rest)
