package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"testing"
)

// TestQuiet ends a connection in order while the guest writes, and begins another
// one on the same stream.
func TestQuiet(t *testing.T) {
	a, b := net.Pipe()
	stopped := make(chan error, 1)
	accept := func(kind string, _ json.RawMessage, ch *Channel) {
		piece := bytes.Repeat([]byte("x"), 1000)
		for {
			if _, err := ch.Write(piece); err != nil {
				stopped <- err
				return
			}
		}
	}
	host, guest := NewMux(Host, a, nil), NewMux(Guest, b, accept)
	hostOver, guestOver := make(chan error, 1), make(chan error, 1)
	go func() { hostOver <- host.Run() }()
	go func() { guestOver <- guest.Run() }()
	ch, err := host.Open(KindExec, Exec{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(ch, make([]byte, 100_000)); err != nil {
		t.Fatal(err)
	}
	if err := host.Quiesce(); err != nil {
		t.Fatal(err)
	}
	for side, err := range map[string]error{"host": <-hostOver, "guest": <-guestOver, "program": <-stopped} {
		if !errors.Is(err, ErrQuiet) {
			t.Errorf("%s: %v, want silence", side, err)
		}
	}
	if _, err := io.Copy(io.Discard, ch); !errors.Is(err, ErrQuiet) {
		t.Errorf("the channel ended with %v", err)
	}
	for side, m := range map[string]*Mux{"host": host, "guest": guest} {
		if _, err := m.Open(KindGet, Get{}); !errors.Is(err, ErrQuiet) {
			t.Errorf("%s: a channel was opened: %v", side, err)
		}
	}

	again := NewMux(Host, a, nil)
	defer again.Close()
	go again.Run()
	greeted := make(chan Greeting)
	go func() {
		greeting, err := AwaitGreeting(b)
		if err != nil {
			t.Error(err)
		}
		next := NewMux(Guest, b, func(_ string, _ json.RawMessage, ch *Channel) { ch.Close(Done{Size: 7}) })
		go next.Run()
		next.SayHello()
		greeted <- greeting
	}()
	if err := again.Greet(Greeting{Restored: true, Machine: "m"}); err != nil {
		t.Fatal(err)
	}
	if got := <-greeted; got != (Greeting{true, "m"}) {
		t.Errorf("the guest was greeted with %+v", got)
	}
	if err := again.WaitHello(t.Context()); err != nil {
		t.Fatal(err)
	}
	var done Done
	ch, err = again.Open(KindGet, Get{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.Status(&done); err != nil || done.Size != 7 {
		t.Errorf("status %+v, %v", done, err)
	}
}

// TestQuietOutOfTurn sends the words of silence from the side that must not.
func TestQuietOutOfTurn(t *testing.T) {
	for name, bad := range map[string]frame{"quiet unasked": {kind: kindQuiet}, "quiesce from the guest": {kind: kindQuiesce}} {
		a, b := net.Pipe()
		host := NewMux(Host, a, nil)
		over := make(chan error, 1)
		go func() { over <- host.Run() }()
		b.Write(appendFrame(nil, bad))
		if err := <-over; err == nil || errors.Is(err, ErrQuiet) || errors.Is(err, ErrClosed) {
			t.Errorf("%s: the connection ended with %v", name, err)
		}
	}
}
