package cell

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// theirs are a program's ends of the pipes that lead past the guest.
type theirs struct{ job, control *os.File }

// past makes a cell whose program has such pipes.
func past(t *testing.T, guest func(wire.Exec, *wire.Channel)) (*fake, theirs) {
	t.Helper()
	job, jobIn, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	control, controlIn, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []*os.File{job, jobIn, control, controlIn} {
			f.Close()
		}
	})
	f := &fake{program: &Streams{Job: jobIn, Control: control}, serve: func(_ string, raw json.RawMessage, ch *wire.Channel) {
		var request wire.Exec
		json.Unmarshal(raw, &request)
		guest(request, ch)
	}}
	return f, theirs{job, controlIn}
}

// TestAResultPastTheGuestWaitsForTheOutput: output that a program wrote before
// its result is passed on before the result ends, although it takes another
// path.
func TestAResultPastTheGuestWaitsForTheOutput(t *testing.T) {
	asked := make(chan struct{})
	f, program := past(t, func(_ wire.Exec, ch *wire.Channel) {
		if _, _, err := ch.Next(); err == io.EOF {
			close(asked)
		}
		ch.WriteStream(0, []byte("printed"))
		ch.EndControl()
	})
	c, p := begin(t, f)
	go func() {
		program.control.Write([]byte("!"))
		job, _ := io.ReadAll(program.job)
		program.control.Write(job)
		program.control.Close()
	}()
	if err := p.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Adopt(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Send(t.Context(), []byte("job")); err != nil {
		t.Fatal(err)
	}
	var out, control bytes.Buffer
	_, ended, err := p.Result(t.Context(), &out, nil, &control)
	if err != nil || ended || out.String() != "printed" || control.String() != "\njob" {
		t.Errorf("out %q, control %q, ended %v, %v; want the job behind an empty line", out.String(), control.String(), ended, err)
	}
	<-asked
}

func TestTheEndOfAProgramPastTheGuest(t *testing.T) {
	end := make(chan struct{})
	f, program := past(t, func(_ wire.Exec, ch *wire.Channel) {
		<-end
		ch.Close(wire.Exit{Code: 3})
	})
	_, p := begin(t, f)
	program.control.Write([]byte("!" + string(make([]byte, 60_000)))) // and something holds it open
	close(end)
	var control bytes.Buffer
	exit, err := p.Finish(t.Context(), nil, nil, &control)
	if err != nil || exit.Code != 3 || control.Len() != 60_001 {
		t.Errorf("%+v, %d bytes, %v", exit, control.Len(), err)
	}
}

func TestOnlyOneProgramGoesPastTheGuest(t *testing.T) {
	var direct []bool
	f, _ := past(t, func(request wire.Exec, ch *wire.Channel) {
		direct = append(direct, request.Direct)
		ch.Close(wire.Exit{})
	})
	c := startAhead(t, f, Spec{})
	for range 2 {
		p, err := c.Begin(t.Context(), Command{Argv: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Finish(t.Context(), nil, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(direct) != 2 || !direct[0] || direct[1] {
		t.Errorf("got %v, want the first alone", direct)
	}
}

// A program that has ended before it got its job tells how it ended.
func TestAProgramPastTheGuestThatIsGone(t *testing.T) {
	f, program := past(t, func(_ wire.Exec, ch *wire.Channel) { ch.Close(wire.Exit{Code: 3}) })
	c, p := begin(t, f)
	program.job.Close()
	if err := c.Adopt(t.Context(), 0, nil); err != nil {
		t.Error(err)
	}
	if err := p.Send(t.Context(), []byte("job")); err != nil {
		t.Error(err)
	}
	if exit, err := p.Finish(t.Context(), nil, nil, nil); err != nil || exit.Code != 3 {
		t.Errorf("%+v, %v; want its status", exit, err)
	}
}

// TestWhatIsHeldOfAProgramIsBounded: the bytes held for a cell are bounded,
// even if they are never read.
func TestWhatIsHeldOfAProgramIsBounded(t *testing.T) {
	f, program := past(t, func(_ wire.Exec, ch *wire.Channel) { ch.Close(wire.Exit{}) })
	c, p := begin(t, f)
	d := p.ch.(*direct)
	written := make(chan int)
	go func() {
		total := 0
		for {
			n, err := program.control.Write(make([]byte, 1<<20))
			if total += n; err != nil {
				written <- total
				return
			}
		}
	}()
	<-d.Over()
	c.Close()
	f.program.Control.Close()
	if total := <-written; total > 8<<20 {
		t.Errorf("%d bytes were taken", total)
	}
	held := 0
	for {
		_, data, err := d.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
		held += len(data)
	}
	if held > maxUnread+maxLeft {
		t.Errorf("%d bytes are held", held)
	}
}

// Nobody takes what a program still writes when its run has what it wants: the
// end of the cell does not wait for that.
func TestTheEndOfACellWhoseProgramWrites(t *testing.T) {
	for name, end := range map[string]func(*Cell){
		"closed":   func(c *Cell) { c.Close() },
		"released": func(c *Cell) { c.Release() },
	} {
		t.Run(name, func(t *testing.T) {
			printed := make(chan struct{})
			f, program := past(t, func(_ wire.Exec, ch *wire.Channel) {
				ch.WriteStream(0, make([]byte, maxUnread+maxLeft))
				close(printed)
			})
			c, p := begin(t, f)
			<-printed                                   // more than is held
			program.control.Write(make([]byte, 68<<10)) // more than is in a pipe
			end(c)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				f.program.Control.Close() // waits for whoever reads it
				for err := error(nil); err == nil; {
					_, _, err = p.ch.Next()
				}
			}()
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Fatal("the cell does not end")
			}
		})
	}
}
