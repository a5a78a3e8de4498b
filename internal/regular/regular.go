// Package regular opens files of this host that others may have put there.
package regular

import (
	"errors"
	"io/fs"
	"os"
)

// From is where names of files are looked up: an *os.Root, or Host.
type From interface {
	Stat(name string) (fs.FileInfo, error)
	Open(name string) (*os.File, error)
}

// Host looks names up as paths of this host.
type Host struct{}

// Stat is os.Stat.
func (Host) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// Open is os.Open.
func (Host) Open(name string) (*os.File, error) { return os.Open(name) }

// ErrOther is the error of a name that is a directory, a pipe or a device.
var ErrOther = errors.New("it is no regular file")

// Open opens a regular file to read it, and nothing else: a pipe could make it wait
// for ever.
func Open(from From, name string) (*os.File, error) {
	info, err := from.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrOther
	}
	return from.Open(name)
}
