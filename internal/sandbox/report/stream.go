package report

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
	"github.com/glovebox-dev/glovebox/value"
)

// Stream takes the control stream of an interpreter, and keeps its last line:
// the runner writes that in one piece, behind whatever code has written there. It
// waits on disk until the run has ended and there is memory for it.
type Stream struct {
	outputs int64 // what all outputs may have
	limit   int64
	total   int64
	text    budget.Text
	head    []byte // how the line begins
	last    byte
	err     error // of the disk
}

// goodReport begins the report of code that ran to its end.
const goodReport = `{"ok":true,`

// NewStream returns the stream of a run, which may keep its text in a directory.
func NewStream(dir string, limits api.RunLimits) *Stream {
	return &Stream{outputs: limits.Outputs, limit: min(limits.Outputs, outputs.MaxValues) + Extra, text: budget.Text{Dir: dir}}
}

// WaitFor has space called with each write from now on, so that it can wait for
// room on the disk; nil writes once.
func (s *Stream) WaitFor(space func(write func() error) error) { s.text.Space = space }

// Empty reports whether nothing at all has come.
func (s *Stream) Empty() bool { return s.total == 0 }

// Close drops the text, which has been read or is not needed.
func (s *Stream) Close() { _ = s.text.Close() }

// Write keeps what the limit lets it and never fails.
func (s *Stream) Write(data []byte) (int, error) {
	if s.total += int64(len(data)); s.total > s.limit || s.err != nil || len(data) == 0 {
		return len(data), nil
	}
	line := data[bytes.LastIndexByte(data, '\n')+1:]
	if len(line) < len(data) {
		s.err, s.head = s.text.Reset(), nil
	}
	s.head = append(s.head, line[:min(len(line), len(goodReport)-len(s.head))]...)
	s.last = data[len(data)-1]
	if s.err == nil {
		_, s.err = s.text.Write(line)
	}
	return len(data), nil
}

// check says what is wrong with all that was written.
func (s *Stream) check() error {
	if s.total > s.limit {
		return api.Errorf(api.OutputTooLarge, "the outputs have at least %d bytes, more than the limit of %d", s.total, s.limit).
			WithHint("write large data to a File or a DataFrame").WithDetails(api.Details{Limit: s.limit, Peak: s.total})
	}
	if s.err != nil {
		return outputs.HostError(s.err)
	}
	return nil
}

// Succeeded reports whether there is a report of code that ran to its end.
func (s *Stream) Succeeded() bool {
	return s.check() == nil && string(s.head) == goodReport && s.last == '}'
}

// Read returns the report that came, else the one that the code has forced into a
// file of the cell. It returns nil if there is none: the interpreter did not live
// to report.
func (s *Stream) Read(ctx context.Context, c outputs.Getter, declared []value.Param) (*Report, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.text.Size() > 0 {
		return s.read(ctx, &s.text, declared)
	}
	file := budget.Text{Dir: s.text.Dir, Space: s.text.Space}
	defer file.Close()
	if came, err := s.fetch(ctx, c, &file); err != nil || !came {
		return nil, err
	}
	return s.read(ctx, &file, declared)
}

// read parses a report when there is memory for it.
func (s *Stream) read(ctx context.Context, from *budget.Text, declared []value.Param) (*Report, error) {
	text, err := outputs.Claim(ctx, from)
	if err != nil {
		return nil, err
	}
	found, err := parse(text, declared)
	if err == nil {
		err = found.charge(declared, s.outputs)
	}
	return found, err
}

// fetch takes the file of a report out of the cell.
func (s *Stream) fetch(ctx context.Context, c outputs.Getter, into io.Writer) (came bool, err error) {
	bound := cell.GetLimits{Bytes: s.limit, Files: 1}
	err = c.Get(ctx, layout.Result, []string{layout.ResultName}, bound, func(h *tar.Header, r io.Reader) error {
		came = true
		if h.Typeflag != tar.TypeReg {
			return damaged(errors.New("it is " + files.Describe(h.FileInfo().Mode())))
		}
		_, err := io.Copy(into, io.LimitReader(r, bound.Bytes))
		return err
	})
	var large *api.Error
	if errors.As(err, &large) && large.Code == api.OutputTooLarge {
		err = large.WithHint("write large data to a File or a DataFrame")
	}
	return came, err
}
