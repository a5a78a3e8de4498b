# Looks for files of the host, and for the doors that containers have left open elsewhere.
import os, sys
doors = ["/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock",
         "/run/dbus/system_bus_socket", "/var/run/secrets/kubernetes.io", "/var/lib/kubelet", "/run/systemd",
         "/root/.ssh", "/root/.docker", "/root/.config", "/host", "/rootfs", "/.dockerenv"]
print([p for p in sys.argv[1:] + doors if os.path.lexists(p)])
