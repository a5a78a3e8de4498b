package runsc

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/unet"
)

// An Event is what a sandbox says on its control socket: that it has started or
// failed to, and then one answer to each request.
type Event struct {
	Event string `json:"event"` // started, failed, done
	Error string `json:"error,omitempty"`
}

func failed(format string, args ...any) Event {
	return Event{Event: "failed", Error: fmt.Sprintf(format, args...)}
}

// A Request is what the host asks of a sandbox that has started. One comes after
// the other: the host waits for the answer.
type Request struct {
	Request string `json:"request"`
}

// The requests.
const (
	// Upper writes the tree of the writable layer as a tar into the first of two
	// files; the second is the null device. Instead of content, a regular file has
	// its size and the pieces of the file behind the layer where that is: eight bytes,
	// and then three times eight a piece, in the order of bytes of x86: from where in
	// the file it is, to where, and from where in the file behind the layer.
	Upper = "upper"
	// Freeze stops all programs of the cell where they are, and Thaw lets them go
	// on. As often as they were stopped, they have to be let go.
	Freeze = "freeze"
	Thaw   = "thaw"
	// Save writes the state of a frozen cell into the SavedFiles that come with it.
	Save = "save"
)

// Ask sends a request to a sandbox, with the files that it needs.
func Ask(control *os.File, request string, files ...*os.File) error {
	return send(control, Request{Request: request}, files)
}

// Bounds of a message to a sandbox, in bytes and files.
const (
	maxMessage = 64 << 10
	maxFiles   = 16
	upperCount = 2
)

// send sends a message and files in one piece.
func send(control *os.File, message any, files []*os.File) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	var rights []byte
	if len(files) > 0 {
		fds := make([]int, len(files))
		for i, file := range files {
			fds[i] = int(file.Fd())
		}
		rights = unix.UnixRights(fds...)
	}
	defer runtime.KeepAlive(files)
	return unix.Sendmsg(int(control.Fd()), data, rights, nil, unix.MSG_NOSIGNAL)
}

// receive is the other side of send. It makes the system calls that the filter of
// a sandbox allows for sockets.
func receive(control *unet.Socket, into any) (fds []int, err error) {
	reader := control.Reader(true)
	reader.EnableFDs(maxFiles)
	data := make([]byte, maxMessage)
	n, err := reader.ReadVec([][]byte{data})
	if err != nil {
		return nil, err
	}
	if fds, err = reader.ExtractFDs(); err != nil {
		return nil, err
	}
	return fds, json.Unmarshal(data[:n], into)
}
