package runsc

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/unet"
	"gvisor.dev/gvisor/pkg/urpc"
)

// A door is a socket that gVisor's control server can listen on, and a client that
// waits behind it. Its address is in the sandbox's own network namespace, and of use
// only until the filter of system calls is in place: then nobody can connect.
type door struct {
	listener int
	client   *urpc.Client
}

func newDoor() (door, error) {
	const kind = unix.SOCK_STREAM | unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK
	listener, err := unix.Socket(unix.AF_UNIX, kind, 0)
	if err != nil {
		return door{}, err
	}
	if err := errors.Join(unix.Bind(listener, &unix.SockaddrUnix{}), unix.Listen(listener, 1)); err != nil {
		return door{}, err
	}
	address, err := unix.Getsockname(listener)
	if err != nil {
		return door{}, err
	}
	client, err := unix.Socket(unix.AF_UNIX, kind, 0)
	if err != nil {
		return door{}, err
	}
	if err := unix.Connect(client, address); err != nil {
		return door{}, fmt.Errorf("client: %w", err)
	}
	socket, err := unet.NewSocket(client)
	if err != nil {
		return door{}, fmt.Errorf("client: %w", err)
	}
	return door{listener, urpc.NewClient(socket)}, nil
}

// open puts the door where the control server listens.
func (d door) open() error {
	if err := unix.Dup3(d.listener, fdServer, unix.O_CLOEXEC); err != nil {
		return err
	}
	return unix.Close(d.listener)
}

// replace is open for a server that listens already. It waits at the old door, and
// looks at its descriptor again when that is shut.
func (d door) replace() error {
	old, err := unix.Dup(fdServer)
	if err != nil {
		return err
	}
	return errors.Join(d.open(), unix.Shutdown(old, unix.SHUT_RDWR), unix.Close(old))
}
