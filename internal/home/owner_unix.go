//go:build unix

package home

import (
	"io/fs"
	"os"
	"syscall"
)

// checkOwner refuses a home that another user owns or that others can write to.
func checkOwner(dir string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return unsafeHome(dir, "belongs to another user", "set GLOVEBOX_HOME to a directory of your own")
	}
	if info.Mode().Perm()&0o022 != 0 {
		return unsafeHome(dir, "can be written by others", "run: chmod 700 "+dir)
	}
	return nil
}
