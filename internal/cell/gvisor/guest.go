package gvisor

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/binary"
	"github.com/glovebox-dev/glovebox/internal/oci/erofs"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// guestFile holds a file system with the guest program in memory, sealed, for all
// cells.
func guestFile() (*os.File, error) {
	data, err := binary.Bytes()
	if err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("glovebox-guest", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("memory for the guest program: %w", err)
	}
	f := os.NewFile(uintptr(fd), "glovebox-guest")
	defer f.Close()
	if err := writeGuest(f, data); err != nil {
		return nil, fmt.Errorf("memory for the guest program: %w", err)
	}
	seals := unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		return nil, fmt.Errorf("sealing the guest program: %w", err)
	}
	return openAgain(f)
}

func writeGuest(f *os.File, program []byte) error {
	w := erofs.NewWriter(f)
	data, err := w.Append(bytes.NewReader(program), int64(len(program)))
	if err != nil {
		return err
	}
	// Only root of the cell, which process 1 is, has any use for it.
	guest := &erofs.Inode{Mode: 0o500, Data: data}
	root := &erofs.Inode{Mode: fs.ModeDir | 0o500, Entries: []erofs.Entry{{Name: runsc.GuestFile, Inode: guest}}}
	return w.Finish(root)
}

// openAgain opens a file once more, for reading only and with a position of its
// own.
func openAgain(f *os.File) (*os.File, error) {
	return os.Open(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
}
