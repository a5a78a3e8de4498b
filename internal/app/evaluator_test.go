package app

import (
	"net"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestEvaluatorEndsWithItsInput shows that it says when it can be used, and
// ends when nobody can hand it anything any more.
func TestEvaluatorEndsWithItsInput(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	in := os.NewFile(uintptr(fds[1]), "in")
	defer in.Close()
	ready := false
	err = Engine{}.Evaluate(t.Context(), in, func() {
		ready = true
		unix.Close(fds[0])
	})
	if err != nil || !ready {
		t.Fatalf("ready %v, %v", ready, err)
	}
}

// TestEvaluatorTakesNoOtherInput shows that it serves nobody but the holder of
// a socket pair: not whoever writes into a pipe, or connects to a port.
func TestEvaluatorTakesNoOtherInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	tcp, err := conn.(*net.TCPConn).File()
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	for _, in := range []*os.File{r, tcp} {
		if err := (Engine{}).Evaluate(t.Context(), in, func() { t.Error("it is ready") }); err == nil {
			t.Errorf("it takes %s", in.Name())
		}
	}
}
