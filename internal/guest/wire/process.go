package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// The kinds of channels about the processes of a session, which the host opens.
// Processes belong to the guest: they live on when a channel ends, and any
// number of channels may follow one.
const (
	KindStart  = "start"
	KindFollow = "follow"
	KindList   = "list"
	KindInput  = "input"
	KindSignal = "signal"
	KindResize = "resize"
)

// Start asks for a process, and follows it from its beginning. The channel
// carries Records; the status is an End.
type Start struct {
	Argv []Text `json:"argv"`
	Env  []Text `json:"env"`
	Dir  Text   `json:"dir"`
	As
	Tag      Text            `json:"tag,omitempty"`
	Stdin    bool            `json:"stdin,omitempty"`
	Terminal *Size           `json:"terminal,omitempty"`
	Timeout  int64           `json:"timeout,omitempty"` // nanoseconds; 0 means none
	NoFile   uint64          `json:"nofile"`
	NProc    uint64          `json:"nproc"`
	About    json.RawMessage `json:"about"` // for Info
}

// Size is the size of a terminal in characters.
type Size struct {
	Columns uint16 `json:"columns"`
	Rows    uint16 `json:"rows"`
}

// Ref names a process by its number, or by its tag if that is 0.
type Ref struct {
	PID int  `json:"pid,omitempty"`
	Tag Text `json:"tag,omitempty"`
}

// Follow asks for what a process writes from an offset on, or from now on if
// that is negative. Channel and status are those of Start.
type Follow struct {
	Ref
	From int64 `json:"from"`
}

// End is the end of following a process.
type End struct {
	Done
	Exit *ProcessExit `json:"exit,omitempty"`
}

// ProcessExit is how a process ended.
type ProcessExit struct {
	Code     int  `json:"code"`   // -1 when a signal ended it
	Signal   int  `json:"signal"` // 0 when it exited
	TimedOut bool `json:"timed_out,omitempty"`
}

// List asks for all processes. The channel carries the JSON of one Info after
// another; the status is a Done.
type List struct{}

// Info describes a process.
type Info struct {
	PID     int             `json:"pid"`
	About   json.RawMessage `json:"about"`
	Started int64           `json:"started"` // nanoseconds since 1970
	Offset  int64           `json:"offset"`
	Exit    *ProcessExit    `json:"exit,omitempty"`
}

// Input asks for what the channel carries to be written to the standard input
// of a process; with Close that ends then. The status is a Done.
type Input struct {
	Ref
	Close bool `json:"close,omitempty"`
}

// Signal asks for a signal to be sent. The status is a Done.
type Signal struct {
	Ref
	Signal int  `json:"signal"`
	Tree   bool `json:"tree,omitempty"`
}

// Resize changes the size of a terminal. The status is a Done.
type Resize struct {
	Ref
	Size
}

// RecordKind says what a Record is.
type RecordKind byte

// The kinds of records. The first on a channel is RecordStarted.
const (
	RecordStarted RecordKind = iota + 1
	RecordStdout
	RecordStderr
	RecordTerminal
	RecordInfo  // the JSON of a FileInfo
	RecordEvent // the JSON of an Event
)

// MaxRecord is the size of the largest payload of a record. Such a record fits
// into one frame.
const MaxRecord = maxData - recordHeader

const recordHeader = 5

// A Record is something that happened to a process: a byte with its kind, four
// with the size of its data, and the data.
type Record struct {
	Kind RecordKind
	Data []byte // output, or the JSON of Started
}

// Started is the data of RecordStarted.
type Started struct {
	PID    int   `json:"pid"`
	Offset int64 `json:"offset"`         // of the first output that follows
	Lost   int64 `json:"lost,omitempty"` // bytes before it that were asked for and are not kept
}

// AppendRecord appends the wire form of a record to buf.
func AppendRecord(buf []byte, r Record) []byte {
	buf = append(buf, byte(r.Kind))
	buf = binary.BigEndian.AppendUint32(buf, uint32(len(r.Data)))
	return append(buf, r.Data...)
}

// ReadRecord reads one record, and returns io.EOF if there is none.
func ReadRecord(r io.Reader) (Record, error) {
	var header [recordHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return Record{}, err
	}
	size := binary.BigEndian.Uint32(header[1:])
	record := Record{Kind: RecordKind(header[0])}
	if record.Kind < RecordStarted || record.Kind > RecordEvent {
		return Record{}, fmt.Errorf("record of unknown kind %d", record.Kind)
	}
	if size == 0 || size > MaxRecord {
		return Record{}, fmt.Errorf("record of %d bytes", size)
	}
	record.Data = make([]byte, size)
	if _, err := io.ReadFull(r, record.Data); err != nil {
		return Record{}, fmt.Errorf("record cut short: %w", noEOF(err))
	}
	return record, nil
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// maxOffset is more than any process writes.
const maxOffset = 1 << 60

// DecodeStarted decodes and checks the data of RecordStarted.
func DecodeStarted(data []byte) (Started, error) {
	var s Started
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&s); err != nil {
		return Started{}, fmt.Errorf("start of a process: %w", err)
	}
	if s.PID <= 0 || s.Offset < 0 || s.Offset > maxOffset || s.Lost < 0 || s.Lost > s.Offset {
		return Started{}, fmt.Errorf("start of a process with number %d at %d, of which %d are lost", s.PID, s.Offset, s.Lost)
	}
	return s, nil
}
