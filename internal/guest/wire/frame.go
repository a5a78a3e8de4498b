// Package wire is the guest protocol: channels multiplexed over one byte
// stream between the host and the guest, process 1 of a cell. Both sides
// import it, so it uses the standard library only.
//
// # Format
//
// The stream is a sequence of frames. A frame is a header of nine bytes (kind,
// channel, length; both numbers big-endian, four bytes each) and a payload of
// that length.
//
//	hello   the guest's first frame, on channel 0: JSON Hello
//	open    starts a channel: JSON with the kind of the channel and its request
//	data    bytes of stream 0 of a channel (out)
//	data1   bytes of stream 1 of a channel (err); only on channels of the host
//	data2   bytes of stream 2 of a channel (control), or none when that stream
//	        ends before the others; only on channels of the host
//	eof     the sender has no more data for the channel
//	credit  four bytes: how many more bytes the sender of the credit will take
//	close   ends a channel in both directions: JSON status
//	wake    says nothing, on channel 0: something else follows soon
//	quiesce the host's last frame, on channel 0: the guest ends all channels,
//	        and a connection may begin anew
//	quiet   the guest's last frame, on channel 0: its answer
//
// After quiet both sides are silent, so that nothing is under way when the cell is
// saved. The next connection, on the same stream or on another, begins with a hello
// of the host: JSON Greeting. The guest answers with its own, and all is as at first.
//
// The host opens channels with odd numbers, the guest with even ones. A side
// may have at most Window bytes of a channel under way that were not credited;
// more is a breach of the protocol and ends the connection. So a side never
// holds more than Window bytes a channel, whatever the other one sends.
package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Version is the version of the protocol; the guest sends it in its Hello.
const Version = 4

// Window is how many bytes of a channel may be under way in one direction.
const Window = 256 << 10

// The largest payloads. Requests are larger towards the guest, because argv
// and the environment travel in them.
const (
	maxData    = 32 << 10
	maxToGuest = 4 << 20
	maxToHost  = 64 << 10
)

const headerSize = 9

type kind byte

const (
	kindHello kind = iota + 1
	kindOpen
	kindData
	kindData1
	kindData2
	kindEOF
	kindCredit
	kindClose
	kindWake
	kindQuiesce
	kindQuiet
)

type frame struct {
	kind    kind
	channel uint32
	payload []byte
}

// readFrame reads one frame. The payload is charged against limit before it is
// allocated, and belongs to the caller.
func readFrame(r io.Reader, limit int) (frame, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return frame{}, err
	}
	f := frame{kind: kind(header[0]), channel: binary.BigEndian.Uint32(header[1:5])}
	if f.kind < kindHello || f.kind > kindQuiet {
		return frame{}, fmt.Errorf("frame of unknown kind %d", f.kind)
	}
	size := binary.BigEndian.Uint32(header[5:9])
	if int64(size) > int64(limit) {
		return frame{}, fmt.Errorf("frame of %d bytes is larger than the limit of %d", size, limit)
	}
	f.payload = make([]byte, size)
	if _, err := io.ReadFull(r, f.payload); err != nil {
		return frame{}, fmt.Errorf("frame cut short: %w", err)
	}
	return f, nil
}

// appendFrame appends the wire form of a frame to buf.
func appendFrame(buf []byte, f frame) []byte {
	buf = append(buf, byte(f.kind))
	buf = binary.BigEndian.AppendUint32(buf, f.channel)
	buf = binary.BigEndian.AppendUint32(buf, uint32(len(f.payload)))
	return append(buf, f.payload...)
}
