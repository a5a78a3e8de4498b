package client

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxMessage bounds one message of an event stream, all its lines together.
const maxMessage = 64 << 20 // bytes

// message is one message of an event stream.
type message struct {
	id, kind string
	data     []byte
	begun    bool // a line of it has come that is no comment
}

// messages reads an event stream as HTML defines them, but for lines that end
// with a lone carriage return, which no server of ours writes.
type messages struct {
	r     *bufio.Reader
	limit int
}

func newMessages(r io.Reader) *messages {
	return &messages{r: bufio.NewReaderSize(r, 16<<10), limit: maxMessage}
}

// next returns the next message that has data. The end of the stream is io.EOF,
// within a message io.ErrUnexpectedEOF: what there is of that message is not to
// be used.
func (m *messages) next() (message, error) {
	var msg message
	for room := m.limit; ; {
		line, err := m.line(room)
		if err == io.EOF && (msg.begun || len(line) > 0) {
			err = io.ErrUnexpectedEOF
		}
		switch {
		case err != nil:
			return message{}, err
		case len(line) > 0:
			room -= len(line)
			msg.field(line)
		case msg.data != nil:
			return msg, nil
		default: // a message without data says nothing
			msg, room = message{}, m.limit
		}
	}
}

// field takes one line of a message in. A line that begins with a colon is a
// comment, and fields without a meaning are skipped, as the definition says.
func (msg *message) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	msg.begun = msg.begun || len(name) > 0
	switch string(name) {
	case "id":
		msg.id = string(value)
	case "event":
		msg.kind = string(value)
	case "data":
		if msg.data != nil {
			msg.data = append(msg.data, '\n')
		} else {
			msg.data = []byte{}
		}
		msg.data = append(msg.data, value...)
	}
}

// line returns the next line without its end, of at most limit bytes. A line
// that has no end comes with io.EOF.
func (m *messages) line(limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := m.r.ReadSlice('\n')
		if len(line)+len(part) > limit+2 { // the end of the line does not count
			return nil, nonsense{fmt.Errorf("a message of the stream is longer than %d bytes", m.limit)}
		}
		line = append(line, part...)
		switch err {
		case nil:
			line = bytes.TrimSuffix(line, []byte("\n"))
			return bytes.TrimSuffix(line, []byte("\r")), nil
		case bufio.ErrBufferFull:
		default:
			return line, err
		}
	}
}
