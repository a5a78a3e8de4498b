import random


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


for seed in (0, 42, -7, 2**70, 'text', b'bytes', 1.5, '', True):
    random.seed(seed)
    print(seed, random.random(), random.random(), random.getrandbits(5), random.getrandbits(100), random.randint(1, 6), random.choice('abcdef'))
    print(random.randrange(10), random.randrange(3, 9), random.randrange(0, 100, 7), random.randrange(10, 0, -3), random.uniform(1, 2), random.triangular(1, 5, 2), random.triangular())
    deck = list(range(20))
    random.shuffle(deck)
    print(deck, random.sample(range(100), 5), random.sample(deck, 20), random.sample(range(10**6), 40), random.sample('abc', 3, counts=[2, 3, 1]))
    print(random.choices('abc', k=4), random.choices([1, 2, 3], weights=[1, 2, 3], k=5), random.choices([1, 2, 3], cum_weights=[1, 3, 9], k=5))
    print(random.gauss(0, 1), random.gauss(5, 2), random.gauss(), random.normalvariate(1, 2), random.lognormvariate(0, .5), random.expovariate(2), random.vonmisesvariate(1, 2), random.vonmisesvariate(1, 0))
    print(random.gammavariate(2, 3), random.gammavariate(.5, 1), random.gammavariate(1, 2), random.betavariate(2, 3), random.paretovariate(3), random.weibullvariate(1, 2), random.randbytes(5))
r = random.Random(5)
q = random.Random(5)
print(r.random() == q.random(), r.randint(1, 10**30), q.randint(1, 10**30))
state = r.getstate()
a = [r.random() for _ in range(3)] + [r.gauss(0, 1)]
r.setstate(state)
print(a == [r.random() for _ in range(3)] + [r.gauss(0, 1)], state[0], len(state[1]), state[1][:3], state[1][-1])
show(random.seed, [])
show(random.choice, [])
show(random.randrange, 0)
show(random.randrange, 5, 5)
show(random.randrange, 5, 1, 2)
show(random.randrange, 1, 5, 0)
show(random.randrange, 'a')
show(random.randint, 5, 1)
show(random.sample, [1], 2)
show(random.sample, {1, 2}, 1)
show(random.sample, [1, 2], 1, counts=[1])
show(random.sample, [1, 2], 1, counts=[0, 0])
show(random.choices, [1, 2], [1])
show(random.choices, [1, 2], [0, 0])
show(random.choices, [1, 2], [1, 2], cum_weights=[1, 2])
show(random.choices, [1, 2], 3)
show(random.choices, [])
show(random.gammavariate, 0, 1)
show(random.getrandbits, -1)
show(random.shuffle, (1, 2, 3))
show(random.randrange, None)


class Mine(random.Random):
    pass


print(Mine(3).random(), random.Random(3).random())
