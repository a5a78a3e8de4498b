package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestRecords(t *testing.T) {
	var buf []byte
	sent := []Record{{RecordStarted, []byte(`{"pid":7,"offset":9,"lost":2}`)}, {RecordStdout, make([]byte, MaxRecord)}, {RecordTerminal, []byte("x")}}
	for _, r := range sent {
		buf = AppendRecord(buf, r)
	}
	in := bytes.NewReader(buf)
	for _, want := range sent {
		got, err := ReadRecord(in)
		if err != nil || got.Kind != want.Kind || !bytes.Equal(got.Data, want.Data) {
			t.Fatalf("got %d with %d bytes, %v; want %d with %d", got.Kind, len(got.Data), err, want.Kind, len(want.Data))
		}
	}
	if _, err := ReadRecord(in); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestRefusedRecords(t *testing.T) {
	for name, sent := range map[string][]byte{
		"kind 0":       {0, 0, 0, 0, 1, 'x'},
		"unknown kind": {9, 0, 0, 0, 1, 'x'},
		"empty":        {2, 0, 0, 0, 0},
		"too large":    {2, 0xff, 0xff, 0xff, 0xff},
		"cut short":    {2, 0, 0, 0, 3, 'x'},
		"no data":      {2, 0, 0, 0, 3},
	} {
		if r, err := ReadRecord(bytes.NewReader(sent)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: got %+v, %v", name, r, err)
		}
	}
	for _, sent := range []string{"", "{", `{"pid":0,"offset":1}`, `{"pid":1,"offset":-1}`, `{"pid":1,"offset":4,"lost":5}`, `{"pid":1,"offset":9223372036854775807}`} {
		if s, err := DecodeStarted([]byte(sent)); err == nil {
			t.Errorf("%s: got %+v", sent, s)
		}
	}
}

// FuzzRecords reads what a hostile guest sends.
func FuzzRecords(f *testing.F) {
	f.Add(AppendRecord(AppendRecord(nil, Record{RecordStarted, []byte(`{"pid":7}`)}), Record{RecordStdout, []byte("x")}))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bytes.NewReader(data)
		for {
			r, err := ReadRecord(in)
			if err != nil {
				return
			}
			if len(r.Data) == 0 || len(r.Data) > MaxRecord {
				t.Errorf("a record of %d bytes", len(r.Data))
			}
			if s, err := DecodeStarted(r.Data); err == nil && (s.Lost > s.Offset || s.PID < 1) {
				t.Errorf("got %+v", s)
			}
		}
	})
}
