package evaluator

import (
	"errors"
	"io"
	"net"

	"golang.org/x/sys/unix"
)

// handed waits for the next connections that the client hands over: each
// message on control brings one end of a socket pair. It returns io.EOF when
// the client has closed control.
func handed(control *net.UnixConn) ([]int, error) {
	oob := make([]byte, unix.CmsgSpace(mostHanded*4))
	n, size, flags, _, err := control.ReadMsgUnix(make([]byte, mostHanded), oob)
	if err != nil {
		return nil, err
	}
	fds, err := descriptors(oob[:size])
	if err == nil && flags&unix.MSG_CTRUNC != 0 {
		err = errors.New("more descriptors in a message than are taken")
	}
	if err == nil && n == 0 {
		err = io.EOF
	}
	for i := 0; err == nil && i < len(fds); i++ {
		// A thread that blocks in a read wakes sooner than one that the runtime's poller has to find.
		err = unix.SetNonblock(fds[i], false)
	}
	if err != nil {
		closeAll(fds)
		return nil, err
	}
	return fds, nil
}

// mostHanded is how many descriptors one message may bring.
const mostHanded = 16

// descriptors returns what control messages bring.
func descriptors(oob []byte) ([]int, error) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil, err
	}
	var found []int
	for i := range messages {
		fds, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			closeAll(found)
			return nil, err
		}
		found = append(found, fds...)
	}
	return found, nil
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}
