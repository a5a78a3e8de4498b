# Looks up names.
import socket
for name in ("example.com", "metadata.google.internal", "localhost.example.com"):
    try:
        print(name, socket.getaddrinfo(name, 80))
    except OSError:
        pass
