package monty

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Pipe is a Conn over a pair of streams: each frame has its length in front,
// four bytes with the lowest first.
type Pipe struct {
	In  io.Reader
	Out io.Writer
}

// readStep is how much is read at once: a length alone makes nothing grow.
const readStep = 1 << 20

// Read returns the next frame, or io.EOF.
func (p Pipe) Read(context.Context) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(p.In, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, io.EOF
		}
		return nil, err
	}
	size := int(binary.LittleEndian.Uint32(head[:]))
	if size > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes; at most %d are taken", size, maxFrame)
	}
	var frame []byte
	for len(frame) < size {
		from := len(frame)
		frame = append(frame, make([]byte, min(size-from, readStep))...)
		if _, err := io.ReadFull(p.In, frame[from:]); err != nil {
			return nil, err
		}
	}
	return frame, nil
}

// Write sends a frame.
func (p Pipe) Write(_ context.Context, frame []byte) error {
	_, err := p.Out.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(frame))), frame...))
	return err
}
