package guest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// stdio is the stream to the host. Its descriptors do not block, so that the
// thread that waits for the host is the one that continues when something comes:
// waking another one costs more than most requests.
type stdio struct {
	in, out       *os.File
	rawIn, rawOut syscall.RawConn
}

// takeStdio moves the stream away from descriptors 0 and 1 and puts the null
// device there, so that no program can inherit it.
func takeStdio() (io.ReadWriteCloser, error) {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening /dev/null: %w", err)
	}
	s := &stdio{}
	if s.in, s.rawIn, err = take(0, "host in", null); err != nil {
		return nil, fmt.Errorf("moving standard input: %w", err)
	}
	if s.out, s.rawOut, err = take(1, "host out", null); err != nil {
		return nil, fmt.Errorf("moving standard output: %w", err)
	}
	return s, nil
}

// takeDirect moves the pipes that lead past the guest, which are for one program,
// out of the way of all others.
func takeDirect(given bool) ([]*os.File, error) {
	if !given {
		return nil, nil
	}
	var files []*os.File
	for _, fd := range []int{3, 4} {
		moved, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 10)
		if err == nil {
			err = unix.Close(fd)
		}
		if err != nil {
			return nil, fmt.Errorf("moving descriptor %d: %w", fd, err)
		}
		files = append(files, os.NewFile(uintptr(moved), "direct"))
	}
	return files, nil
}

func take(fd int, name string, null int) (*os.File, syscall.RawConn, error) {
	moved, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 10)
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(unix.SetNonblock(moved, true), unix.Dup2(null, fd)); err != nil {
		return nil, nil, err
	}
	f := os.NewFile(uintptr(moved), name)
	raw, err := f.SyscallConn()
	return f, raw, err
}

func (s *stdio) Read(p []byte) (n int, err error) {
	waitErr := s.rawIn.Read(func(fd uintptr) bool {
		n, err = readRaw(fd, p)
		return !isAgain(err)
	})
	if waitErr != nil {
		return 0, waitErr
	}
	if n == 0 && err == nil {
		return 0, io.EOF
	}
	return n, err
}

func (s *stdio) Write(p []byte) (int, error) { return writeAll(s.rawOut, p) }

// writeAll writes to a descriptor that does not block, and waits where it must.
func writeAll(raw syscall.RawConn, p []byte) (written int, err error) {
	waitErr := raw.Write(func(fd uintptr) bool {
		for err == nil && written < len(p) {
			var n int
			if n, err = writeRaw(fd, p[written:]); isAgain(err) {
				err = nil
				return false
			}
			written += n
		}
		return true
	})
	return written, errors.Join(err, waitErr)
}

func (s *stdio) Close() error { return errors.Join(s.in.Close(), s.out.Close()) }

func isAgain(err error) bool { return errors.Is(err, unix.EAGAIN) }
