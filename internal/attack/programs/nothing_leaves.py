# Sends something by every protocol.
import socket, time
begin = time.monotonic()
for family, kind, proto, address in (
    (socket.AF_INET, socket.SOCK_STREAM, 0, ("1.1.1.1", 443)),
    (socket.AF_INET, socket.SOCK_STREAM, 0, ("169.254.169.254", 80)),
    (socket.AF_INET, socket.SOCK_DGRAM, 0, ("1.1.1.1", 443)),
    (socket.AF_INET, socket.SOCK_DGRAM, 0, ("8.8.8.8", 53)),
    (socket.AF_INET, socket.SOCK_DGRAM, 0, ("255.255.255.255", 9)),
    (socket.AF_INET, socket.SOCK_DGRAM, 0, ("224.0.0.1", 9)),
    (socket.AF_INET6, socket.SOCK_STREAM, 0, ("2606:4700:4700::1111", 443)),
    (socket.AF_INET6, socket.SOCK_DGRAM, 0, ("ff02::1", 9)),
    (socket.AF_INET, socket.SOCK_RAW, 1, ("1.1.1.1", 0)),
    (socket.AF_INET, socket.SOCK_RAW, 255, ("1.1.1.1", 0)),
    (socket.AF_INET, socket.SOCK_DGRAM, 1, ("1.1.1.1", 0)),
    (socket.AF_INET, socket.SOCK_STREAM, 132, ("1.1.1.1", 9)),
    (socket.AF_PACKET, socket.SOCK_RAW, 0, ("eth0", 0)),
):
    try:
        s = socket.socket(family, kind, proto)
        s.settimeout(5)
        if kind == socket.SOCK_DGRAM: s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        if kind == socket.SOCK_STREAM: s.connect(address)
        else: s.sendto(b"x" * 16, address)
        print("left:", family, kind, proto, address)
    except OSError:
        pass
print("slow" if time.monotonic() - begin > 20 else "fast")
