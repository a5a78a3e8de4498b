package guest

import (
	"bytes"
	"testing"
	"testing/synctest"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

func all(f *follower) (stdout, stderr []byte) {
	for {
		kind, data := f.next()
		switch {
		case data == nil:
			return stdout, stderr
		case kind == wire.RecordStdout:
			stdout = append(stdout, data...)
		default:
			stderr = append(stderr, data...)
		}
	}
}

func TestLogKeepsItsEnd(t *testing.T) {
	l := newOutputLog()
	chunk := bytes.Repeat([]byte("x"), 1000)
	for range 5000 {
		l.add(wire.RecordStdout, chunk)
	}
	l.add(wire.RecordStderr, []byte("last"))
	l.finish()
	f, lost := l.follow(100)
	stdout, stderr := all(f)
	if string(stderr) != "last" || len(stdout) < maxLog/2 || len(stdout) > 2*maxLog || lost+int64(len(stdout)) != 5000*1000-100 {
		t.Errorf("%d and %d bytes are kept, %d lost", len(stdout), len(stderr), lost)
	}
	if f, lost := l.follow(-1); lost != 0 || f.at != 5000*1000+4 {
		t.Errorf("from now on is %d, %d lost", f.at, lost)
	}
}

// TestLogOfTinyPieces: streams that take turns cost no more memory.
func TestLogOfTinyPieces(t *testing.T) {
	l := newOutputLog()
	for i := range 100000 {
		l.add(wire.RecordStdout+wire.RecordKind(i%2), []byte("x"))
	}
	if n := len(l.pieces); n > maxLog/pieceCost {
		t.Errorf("%d pieces are kept", n)
	}
}

func TestLogWaitsForItsFollowers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newOutputLog()
		f, _ := l.follow(0)
		other, _ := l.follow(0)
		written := 0
		go func() {
			for range 100 {
				l.add(wire.RecordStdout, bytes.Repeat([]byte("x"), wire.MaxRecord))
				written++
			}
			l.finish()
		}()
		synctest.Wait()
		if written == 100 {
			t.Fatal("nobody waited for the followers")
		}
		other.leave()
		got, _ := all(f)
		if len(got) != 100*wire.MaxRecord {
			t.Errorf("%d bytes came", len(got))
		}
	})
}

func TestLogGoesOnWithoutItsFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newOutputLog()
		f, _ := l.follow(0)
		written := false
		go func() {
			for range 100 {
				l.add(wire.RecordStdout, bytes.Repeat([]byte("x"), wire.MaxRecord))
			}
			written = true
		}()
		synctest.Wait()
		f.leave()
		synctest.Wait()
		if !written {
			t.Error("the writer still waits")
		}
		if kind, data := f.next(); data != nil {
			t.Errorf("somebody who left got %d, %d bytes", kind, len(data))
		}
	})
}

// TestFollowersEndWithTheProcess although children write on.
func TestFollowersEndWithTheProcess(t *testing.T) {
	l := newOutputLog()
	early, _ := l.follow(0)
	l.add(wire.RecordStdout, []byte("now"))
	l.finish()
	l.add(wire.RecordStdout, []byte("later"))
	if got, _ := all(early); string(got) != "now" {
		t.Errorf("a follower got %q", got)
	}
	late, _ := l.follow(3)
	if got, _ := all(late); string(got) != "later" {
		t.Errorf("a later one got %q", got)
	}
}

func TestForgottenLog(t *testing.T) {
	l := newOutputLog()
	l.add(wire.RecordStdout, []byte("now"))
	f, _ := l.follow(0)
	l.finish()
	l.forget()
	l.add(wire.RecordStdout, []byte("later"))
	if got, _ := all(f); string(got) != "now" {
		t.Errorf("got %q", got)
	}
	f.leave()
	if l.pieces != nil {
		t.Error("it keeps something")
	}
}
