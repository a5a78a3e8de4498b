# Lists descriptors that were inherited.
import os
fds = sorted(int(f) for f in os.listdir("/proc/self/fd"))
print([f for f in fds if f > 2 and os.path.exists("/proc/self/fd/%d" % f)])
