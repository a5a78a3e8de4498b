import time
from time import gmtime, mktime, strftime, strptime, struct_time


def show(make):
    try:
        print(make())
    except Exception as e:
        print(type(e).__name__, e)


for seconds in (0, 1, 86399, 86400, -1, 951782400, 1700000000.75, 253402300799, -62135596800):
    t = gmtime(seconds)
    print(t, tuple(t), t.tm_year, t[:3], t.tm_yday, len(t))
    print(time.asctime(t), strftime('%Y-%m-%d %H:%M:%S %j %a', t))
    print(time.asctime(struct_time(t)))
show(lambda: struct_time((1, 2)))
show(lambda: struct_time(range(12)))
show(lambda: strptime('2024-02-29 13:14:15', '%Y-%m-%d %H:%M:%S'))
show(lambda: strptime('Thu Feb 29 13:14:15 2024'))
show(lambda: strptime('x', '%Y'))
show(lambda: gmtime(0) == (1970, 1, 1, 0, 0, 0, 3, 1, 0))
show(lambda: gmtime(0) < gmtime(1))
show(lambda: isinstance(gmtime(0), tuple))
