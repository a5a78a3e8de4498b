# Mounts what the host has, in a user namespace of its own.
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0:
    p = ctypes.c_char_p
    for kind in (b"ext4", b"xfs", b"erofs", b"9p", b"fuse", b"cgroup2", b"cgroup", b"debugfs", b"securityfs"):
        for source in (b"/dev/vda", b"/dev/sda", b"none"):
            if libc.mount(p(source), p(b"/tmp"), p(kind), 0, None) == 0:
                print("mounted", kind, source, os.listdir("/tmp"))
