# Writes below a directory until the disk is full, or up to a number of MiB, and prints
# how many bytes went in. It looks at ENOSPC only: nothing else may stop it.
import errno, os, sys
total = 0
try:
    for i in range(int(sys.argv[2])):
        if i % 64 == 0: fd = os.open(os.path.join(sys.argv[1], "fill%d" % i), os.O_CREAT | os.O_WRONLY)
        total += os.write(fd, b"x" * (1 << 20))
except OSError as e:
    if e.errno not in (errno.ENOSPC, errno.EDQUOT): raise
print(total)
