package guest

import (
	"bytes"
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"
)

// inotifyEvent is one event of the kernel.
type inotifyEvent struct {
	watch int32
	mask  uint32
	name  string
}

// nextEvent decodes the first event of data.
func nextEvent(data []byte) (inotifyEvent, []byte, error) {
	order := binary.NativeEndian
	size := uint64(unix.SizeofInotifyEvent) + uint64(order.Uint32(data[12:]))
	if size > uint64(len(data)) {
		return inotifyEvent{}, nil, errors.New("an event of inotify is cut short")
	}
	name, _, _ := bytes.Cut(data[unix.SizeofInotifyEvent:size], []byte{0})
	return inotifyEvent{int32(order.Uint32(data)), order.Uint32(data[4:]), string(name)}, data[size:], nil
}
