package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// pair connects a host and a guest by a pipe.
func pair(t *testing.T, serve func(kind string, request json.RawMessage, ch *Channel)) (host, guest *Mux) {
	t.Helper()
	a, b := net.Pipe()
	host, guest = NewMux(Host, a, nil), NewMux(Guest, b, serve)
	go host.Run()
	go guest.Run()
	t.Cleanup(func() { host.Close(); guest.Close() })
	return host, guest
}

func TestChannelCarriesBothStreamsInOrder(t *testing.T) {
	host, _ := pair(t, func(kind string, _ json.RawMessage, ch *Channel) {
		ch.WriteStream(0, []byte("out1 "))
		ch.WriteStream(1, []byte("err1 "))
		ch.WriteStream(0, []byte("out2"))
		ch.Close(Exit{Code: 7})
	})
	ch, err := host.Open(KindExec, Exec{Argv: Texts([]string{"true"})})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for {
		stream, data, err := ch.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got.WriteByte('0' + byte(stream))
		got.Write(data)
	}
	if want := "0out1 1err1 0out2"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
	var exit Exit
	if err := ch.Status(&exit); err != nil || exit.Code != 7 {
		t.Errorf("status %+v, %v", exit, err)
	}
}

func TestChannelRoundTripOfMoreThanAWindow(t *testing.T) {
	sent := bytes.Repeat([]byte("0123456789abcdef"), Window/4)
	host, _ := pair(t, func(kind string, _ json.RawMessage, ch *Channel) {
		io.Copy(ch, ch)
		ch.Close(Done{})
	})
	ch, err := host.Open(KindPut, Put{})
	if err != nil {
		t.Fatal(err)
	}
	var received bytes.Buffer
	var reading sync.WaitGroup
	reading.Go(func() { io.Copy(&received, ch) })
	if _, err := ch.Write(sent); err != nil {
		t.Fatal(err)
	}
	ch.CloseWrite()
	reading.Wait()
	if !bytes.Equal(received.Bytes(), sent) {
		t.Errorf("got %d bytes back, sent %d", received.Len(), len(sent))
	}
}

func TestWriterWaitsForCredit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		proceed := make(chan struct{})
		host, guest := pair(t, func(kind string, _ json.RawMessage, ch *Channel) {
			<-proceed
			io.Copy(io.Discard, ch)
			ch.Close(Done{})
		})
		ch, err := host.Open(KindPut, Put{})
		if err != nil {
			t.Fatal(err)
		}
		written := make(chan int, 1)
		go func() {
			n, _ := ch.Write(make([]byte, 2*Window))
			ch.CloseWrite()
			written <- n
		}()
		synctest.Wait()
		select {
		case <-written:
			t.Error("the writer did not wait for the reader")
		default:
		}
		close(proceed)
		if n := <-written; n != 2*Window {
			t.Errorf("wrote %d bytes, want %d", n, 2*Window)
		}
		host.Close()
		guest.Close()
		synctest.Wait()
	})
}

func TestHello(t *testing.T) {
	host, guest := pair(t, nil)
	go guest.SayHello()
	if err := host.WaitHello(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if err := host.WaitHello(ctx); err == nil || err.Error() != "enough" {
		t.Errorf("a second wait gives %v, want the cause of its context", err)
	}
}

func TestEndOfStreamEndsEveryChannel(t *testing.T) {
	host, guest := pair(t, func(string, json.RawMessage, *Channel) {})
	ch, err := host.Open(KindGet, Get{})
	if err != nil {
		t.Fatal(err)
	}
	guest.Close()
	if err := ch.Status(new(Done)); !errors.Is(err, ErrClosed) {
		t.Errorf("status after the end gives %v, want %v", err, ErrClosed)
	}
	if _, err := ch.Write([]byte("x")); err == nil {
		t.Error("a write after the end succeeds")
	}
	if _, err := host.Open(KindGet, Get{}); !errors.Is(err, ErrClosed) {
		t.Errorf("open after the end gives %v, want %v", err, ErrClosed)
	}
}

// TestBreachesEndTheConnection feeds the host what only a hostile guest sends.
func TestBreachesEndTheConnection(t *testing.T) {
	window := bytes.Repeat(appendFrame(nil, frame{kindData, 1, make([]byte, maxData)}), Window/maxData)
	tests := map[string]struct {
		sent []byte
		want string
	}{
		"unknown kind":        {[]byte{99, 0, 0, 0, 0, 0, 0, 0, 0}, "unknown kind 99"},
		"payload too large":   {[]byte{byte(kindData), 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff}, "larger than the limit"},
		"cut short":           {[]byte{byte(kindData), 0, 0, 0, 1, 0, 0, 0, 9, 'x'}, "cut short"},
		"hello is no JSON":    {appendFrame(nil, frame{kindHello, 0, []byte("{")}), "hello"},
		"second hello":        {bytes.Repeat(appendFrame(nil, frame{kindHello, 0, []byte("{}")}), 2), "a second hello"},
		"open is no JSON":     {appendFrame(nil, frame{kindOpen, 2, nil}), "open"},
		"open of our number":  {appendFrame(nil, frame{kindOpen, 3, []byte("{}")}), "not the other side's"},
		"open of channel 0":   {appendFrame(nil, frame{kindOpen, 0, []byte("{}")}), "not the other side's"},
		"open without server": {appendFrame(nil, frame{kindOpen, 2, []byte("{}")}), "one too many"},
		"empty data":          {appendFrame(nil, frame{kindData, 1, nil}), "empty data"},
		"control after end":   {append(appendFrame(nil, frame{kindData2, 1, nil}), appendFrame(nil, frame{kindData2, 1, []byte("x")})...), "after its end"},
		"control ends twice":  {bytes.Repeat(appendFrame(nil, frame{kindData2, 1, nil}), 2), "after its end"},
		"more than credited":  {append(window, appendFrame(nil, frame{kindData1, 1, []byte("x")})...), "more data than was credited"},
		"credit without end":  {appendFrame(nil, frame{kindCredit, 1, creditPayload(1)}), "credited more"},
		"credit cut short":    {appendFrame(nil, frame{kindCredit, 1, []byte{1}}), "credit of 1 bytes"},
		"data after its end":  {append(appendFrame(nil, frame{kind: kindEOF, channel: 1}), appendFrame(nil, frame{kindData, 1, []byte("x")})...), "after its end"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			guest, stream := net.Pipe()
			host := NewMux(Host, stream, nil)
			go io.Copy(io.Discard, guest)
			if _, err := host.Open(KindExec, Exec{}); err != nil {
				t.Fatal(err)
			}
			go func() {
				guest.Write(test.sent)
				guest.Close()
			}()
			if err := host.Run(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestTooManyChannelsOfTheGuest(t *testing.T) {
	guest, stream := net.Pipe()
	host := NewMux(Host, stream, func(string, json.RawMessage, *Channel) {})
	go func() {
		for id := range uint32(maxAccepted + 1) {
			guest.Write(appendFrame(nil, frame{kindOpen, 2 * (id + 1), []byte("{}")}))
		}
		guest.Close()
	}()
	if err := host.Run(); err == nil || !strings.Contains(err.Error(), "one too many") {
		t.Errorf("got %v, want a refusal of one channel too many", err)
	}
}

// TestServedChannelsAreBoundedAfterTheirEnd opens and closes channels faster
// than they are served.
func TestServedChannelsAreBoundedAfterTheirEnd(t *testing.T) {
	guest, stream := net.Pipe()
	release := make(chan struct{})
	defer close(release)
	host := NewMux(Host, stream, func(string, json.RawMessage, *Channel) { <-release })
	go func() {
		for id := range uint32(maxServed + 1) {
			guest.Write(appendFrame(nil, frame{kindOpen, 2 * (id + 1), []byte("{}")}))
			guest.Write(appendFrame(nil, frame{kindClose, 2 * (id + 1), []byte("{}")}))
		}
		guest.Close()
	}()
	if err := host.Run(); err == nil || !strings.Contains(err.Error(), "one too many") {
		t.Errorf("got %v, want a refusal of one channel too many", err)
	}
}

// TestSecondStreamOfTheGuestsChannels: alternating streams keep small frames
// from being joined, on as many channels as a guest may open.
func TestSecondStreamOfTheGuestsChannels(t *testing.T) {
	guest, stream := net.Pipe()
	host := NewMux(Host, stream, func(string, json.RawMessage, *Channel) {})
	go func() {
		guest.Write(appendFrame(nil, frame{kindOpen, 2, []byte("{}")}))
		guest.Write(appendFrame(nil, frame{kindData1, 2, []byte("x")}))
		guest.Close()
	}()
	if err := host.Run(); err == nil || !strings.Contains(err.Error(), "one stream only") {
		t.Errorf("got %v, want a refusal of the second stream", err)
	}
}

// TestSmallFramesCostLittle sends a window in single bytes: they must be
// joined, not kept one by one.
func TestSmallFramesCostLittle(t *testing.T) {
	ch := newChannel(NewMux(Host, nil, nil), 1)
	for range 4 * maxData {
		if err := ch.receive(0, []byte{'x'}); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(ch.received); got != 4 {
		t.Errorf("%d bytes in single frames are kept as %d pieces, want 4", 4*maxData, got)
	}
}

// FuzzHost feeds the host arbitrary bytes as a guest's.
func FuzzHost(f *testing.F) {
	f.Add(appendFrame(nil, frame{kindHello, 0, []byte(`{"version":1}`)}))
	f.Add(appendFrame(nil, frame{kindOpen, 2, []byte(`{"kind":"dial","request":{}}`)}))
	f.Add(appendFrame(appendFrame(nil, frame{kindData2, 1, []byte("r")}), frame{kindData2, 1, nil}))
	f.Add(appendFrame(appendFrame(nil, frame{kindData, 1, []byte("out")}), frame{kindClose, 1, []byte(`{"code":0}`)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		stream := struct {
			io.Reader
			io.Writer
			io.Closer
		}{bytes.NewReader(data), io.Discard, io.NopCloser(nil)}
		host := NewMux(Host, stream, func(_ string, _ json.RawMessage, ch *Channel) { ch.Close(Done{}) })
		ch, err := host.Open(KindExec, Exec{})
		if err != nil {
			t.Fatal(err)
		}
		if err := host.Run(); err == nil {
			t.Error("the connection ended without an error")
		}
		read := 0
		for {
			_, data, err := ch.Next()
			if err != nil {
				break
			}
			read += len(data)
		}
		if read > Window {
			t.Errorf("read %d bytes without giving credit", read)
		}
		ch.Status(new(Exit))
	})
}

// Streams that take turns byte by byte cost the host little more memory than
// their bytes, and each arrives as it was.
func TestTinyPiecesAreJoined(t *testing.T) {
	ch := newChannel(&Mux{}, 1)
	var want, got [streams]bytes.Buffer
	for i := range Window - 2 {
		stream, data := i%streams, []byte{byte('a' + i%23)}
		if err := ch.receive(stream, data); err != nil {
			t.Fatal(err)
		}
		want[stream].Write(data)
	}
	if err := ch.receive(2, nil); err != nil {
		t.Fatal(err)
	}
	if err := ch.receive(0, []byte("!")); err != nil {
		t.Fatal(err)
	}
	want[0].WriteByte('!')
	if n := len(ch.received); n > 2*maxOrdered {
		t.Errorf("%d pieces are held", n)
	}
	ch.receiveEOF()
	for ended := false; ; {
		stream, data, err := ch.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if ended && stream == 2 {
			t.Error("data of a stream after its end")
		}
		ended = ended || len(data) == 0
		got[stream].Write(data)
	}
	for stream := range got {
		if !bytes.Equal(got[stream].Bytes(), want[stream].Bytes()) {
			t.Errorf("stream %d has %d bytes, want %d in their order", stream, got[stream].Len(), want[stream].Len())
		}
	}
}
