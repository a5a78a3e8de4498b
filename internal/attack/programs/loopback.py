# Connects to a port of the host under each address that it is given.
import socket, sys
for host in sys.argv[2:]:
    try:
        socket.create_connection((host, int(sys.argv[1])), 3)
        print("reached", host)
    except OSError:
        pass
