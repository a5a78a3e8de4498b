# Opens files up to a number, and prints how many it came to.
import os, sys
n = 3
try:
    while n < int(sys.argv[1]):
        os.open("/dev/null", os.O_RDONLY); n += 1
except OSError:
    pass
print(n)
