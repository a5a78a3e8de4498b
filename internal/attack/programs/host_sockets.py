# Connects to the sockets of the host that have no address in a network.
import socket, sys
try:
    socket.socket(socket.AF_UNIX).connect("\0" + sys.argv[1])
    print("reached an abstract socket of the host")
except OSError:
    pass
try:
    s = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    s.settimeout(3)
    for cid in (0, 1, 2):
        try:
            s.connect((cid, 1024)); print("reached vsock", cid)
        except OSError:
            pass
except OSError:
    pass
for proto in (9, 15, 16, 31):  # audit, uevent, generic, crypto
    try:
        s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, proto)
        s.bind((0, 1)); s.settimeout(0.2)
        if proto == 15 and s.recv(10): print("uevents of the host")
    except OSError:
        pass
