# Looks for devices, and makes some.
import stat
for name in sorted(os.listdir("/dev")):
    st = os.lstat("/dev/" + name)
    if stat.S_ISBLK(st.st_mode): print("block device", name)
for name in ("mem", "kmem", "port", "kvm", "vhost-net", "mapper", "disk", "sda", "vda", "nvme0n1", "loop0", "loop-control", "vsock", "uinput", "snapshot"):
    if os.path.exists("/dev/" + name): print("device", name)
for mode, major, minor in ((stat.S_IFBLK, 254, 0), (stat.S_IFBLK, 8, 0), (stat.S_IFCHR, 1, 1), (stat.S_IFCHR, 10, 232), (stat.S_IFCHR, 10, 229)):
    for dir in ("/work", "/tmp"):
        path = "%s/node%d-%d" % (dir, major, minor)
        try:
            os.mknod(path, mode | 0o666, os.makedev(major, minor))
            os.close(os.open(path, os.O_RDWR))
            print("opened", path)
        except OSError:
            pass
