package guest

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

func TestFilesSayWhatLinuxSaid(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, missing := os.Open(filepath.Join(dir, "missing"))
	_, below := os.Open(filepath.Join(file, "below"))
	_, directory := openRegular(dir, unix.O_RDONLY, 0)
	_, fifo := openRegular(filepath.Join(dir, "fifo"), unix.O_RDONLY, 0)
	for _, test := range []struct {
		err   error
		code  string
		errno unix.Errno
	}{
		{missing, wire.CodeNotFound, unix.ENOENT},
		{below, wire.CodeRequestInvalid, unix.ENOTDIR},
		{directory, wire.CodeRequestInvalid, unix.EISDIR},
		{fifo, wire.CodeRequestInvalid, unix.EINVAL},
		{os.Mkdir(file, 0o700), wire.CodeConflict, unix.EEXIST},
		{failure{wire.CodeLimit, "path", "too many"}, wire.CodeLimit, 0},
	} {
		done := doneWith(fileFailure(test.err))
		if done.Code != test.code || unix.Errno(done.Errno) != test.errno || done.Error != test.err.Error() {
			t.Errorf("%v is %+v, want %s and %s", test.err, done, test.code, unix.ErrnoName(test.errno))
		}
	}
	if done := doneWith(fileFailure(nil)); done != (wire.Done{}) {
		t.Errorf("no error is %+v", done)
	}
}
