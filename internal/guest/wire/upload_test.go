package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"strings"
	"testing"
)

// TestWhatIsSentArrivesWhole sends around every size at which it is cut.
func TestWhatIsSentArrivesWhole(t *testing.T) {
	got := make(chan []byte, 1)
	host, _ := pair(t, func(_ string, _ json.RawMessage, ch *Channel) {
		data, err := io.ReadAll(ch)
		if err != nil {
			t.Error(err)
		}
		got <- data
		ch.Close(Done{})
	})
	ways := map[string]func([]byte) error{
		"upload in one piece": func(p []byte) error {
			u := host.NewUpload(KindPut, Put{})
			if _, err := u.Write(p); err != nil {
				return err
			}
			return u.Finish()
		},
		"upload in small pieces": func(p []byte) error {
			u := host.NewUpload(KindPut, Put{})
			for len(p) > 0 {
				n := min(len(p), 1000)
				if _, err := u.Write(p[:n]); err != nil {
					return err
				}
				p = p[n:]
			}
			return u.Finish()
		},
		"last": func(p []byte) error {
			ch, err := host.Open(KindExec, Exec{})
			if err != nil {
				return err
			}
			return ch.WriteLast(p)
		},
		"last after others": func(p []byte) error {
			ch, err := host.Open(KindExec, Exec{})
			if err != nil {
				return err
			}
			n := min(len(p), Window-10)
			if _, err := ch.Write(p[:n]); err != nil {
				return err
			}
			return ch.WriteLast(p[n:])
		},
	}
	for _, size := range []int{0, 1, maxData - 1, maxData, maxData + 1, 2 * maxData, Window - 1, Window, Window + 1, 3*Window + 17} {
		data := bytes.Repeat([]byte("0123456789abcdefg"), size/17+1)[:size]
		for name, send := range ways {
			if err := send(data); err != nil {
				t.Fatalf("%s, %d bytes: %v", name, size, err)
			}
			if back := <-got; !bytes.Equal(back, data) {
				t.Errorf("%s: %d bytes came, want %d", name, len(back), size)
			}
		}
	}
}

// TestASmallUploadIsOneWrite, because each wakes the other side.
func TestASmallUploadIsOneWrite(t *testing.T) {
	writes := make(chan int, 10)
	mux := NewMux(Host, recorder{writes}, nil)
	u := mux.NewUpload(KindPut, Put{Dir: "/"})
	io.WriteString(u, "some ")
	io.WriteString(u, "words")
	if u.Channel() != nil {
		t.Error("it was opened before there was anything to send")
	}
	if err := u.Finish(); err != nil || u.Channel() == nil {
		t.Fatalf("channel %v, %v", u.Channel(), err)
	}
	if len(writes) != 1 {
		t.Errorf("sent in %d pieces, want 1", len(writes))
	}
	if err := u.Channel().WriteLast([]byte("x")); err != nil || len(writes) != 2 {
		t.Errorf("the last was sent in %d pieces, %v; want 1", len(writes)-1, err)
	}
}

// recorder is a stream to nowhere that notes each write.
type recorder struct{ writes chan int }

func (r recorder) Read([]byte) (int, error) { return 0, io.EOF }
func (r recorder) Close() error             { return nil }
func (r recorder) Write(p []byte) (int, error) {
	r.writes <- len(p)
	return len(p), nil
}

func TestTheEndOfTheControlStreamIsSeen(t *testing.T) {
	host, _ := pair(t, func(_ string, _ json.RawMessage, ch *Channel) {
		ch.WriteStream(2, []byte("re"))
		ch.WriteStream(2, []byte("sult"))
		ch.WriteStream(0, []byte("out"))
		ch.EndControl()
		ch.WriteStream(0, []byte(" more"))
		ch.Close(Exit{})
	})
	ch, err := host.Open(KindExec, Exec{Control: true})
	if err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	for {
		stream, data, err := ch.Next()
		if err != nil {
			break
		}
		seen.WriteByte('0' + byte(stream))
		seen.Write(data)
		seen.WriteByte(' ')
	}
	// Pieces of one stream may come joined.
	if got := strings.ReplaceAll(seen.String(), "2re 2sult", "2result"); got != "2result 0out 2 0 more " {
		t.Errorf("got %q", got)
	}
}

func TestAGuestThatIsWokenAnswers(t *testing.T) {
	host, _ := pair(t, func(_ string, _ json.RawMessage, ch *Channel) { ch.Close(Done{Size: 5}) })
	if err := host.Wake(); err != nil {
		t.Fatal(err)
	}
	ch, err := host.Open(KindGet, Get{})
	if err != nil {
		t.Fatal(err)
	}
	var done Done
	if err := ch.Status(&done); err != nil || done.Size != 5 {
		t.Errorf("got %+v, %v", done, err)
	}
}

func TestAWakingGuestBreaksTheProtocol(t *testing.T) {
	guest, stream := net.Pipe()
	host := NewMux(Host, stream, nil)
	go guest.Write(appendFrame(nil, frame{kind: kindWake}))
	if err := host.Run(); err == nil || !strings.Contains(err.Error(), "wake from the guest") {
		t.Errorf("got %v", err)
	}
}
