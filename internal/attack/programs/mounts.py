# Changes what is mounted, as an ordinary user.
p = ctypes.c_char_p
denied("mount", 165, 40, p(b"none"), p(b"/work"), p(b"tmpfs"), 0, 0)
denied("mount proc", 165, 40, p(b"none"), p(b"/work"), p(b"proc"), 0, 0)
denied("umount2", 166, 39, p(b"/proc"), 2)
denied("pivot_root", 155, 41, p(b"/work"), p(b"/work"))
denied("chroot", 161, 51, p(b"/work"))
denied("open_tree", 428, 428, -100, p(b"/"), 1)
denied("fsopen", 430, 430, p(b"tmpfs"), 0)
denied("move_mount", 429, 429, -100, p(b"/tmp"), -100, p(b"/work"), 0)
denied("setns", 308, 268, os.open("/proc/1/ns/mnt", os.O_RDONLY) if os.access("/proc/1/ns/mnt", os.R_OK) else -1, 0) if os.access("/proc/1/ns/mnt", os.R_OK) else None
