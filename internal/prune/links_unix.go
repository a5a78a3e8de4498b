//go:build unix

package prune

import (
	"io/fs"
	"syscall"
)

// lastName reports whether a file has no other name; one that is a blob too has.
func lastName(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Nlink == 1
}
