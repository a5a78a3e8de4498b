//go:build linux

// Package disk keeps unreviewed code from filling the file system of a home:
// cells get what is free above a floor, and a reserve is given back when the disk
// is full in spite of that.
package disk

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// The floor is a share of the file system, within bounds.
const (
	floorShare = 20       // a 20th
	minFloor   = 16 << 20 // bytes
	maxFloor   = 512 << 20
)

// Space is what there is on a file system, in bytes.
type Space struct {
	Free  int64 // for users without privileges
	Floor int64 // what cells leave free, for what is written about runs
}

// SpaceOf looks at the file system that a directory is on.
func SpaceOf(dir string) (Space, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return Space{}, fmt.Errorf("how much space is free for %s: %w", dir, err)
	}
	size := int64(stat.Blocks) * stat.Bsize
	return Space{
		Free:  int64(stat.Bavail) * stat.Bsize,
		Floor: min(max(size/floorShare, minFloor), maxFloor),
	}, nil
}

// Room is what one more cell may write, in bytes; less than 1 is none.
func (s Space) Room() int64 { return s.Free - s.Floor }

// Critical reports whether so little is free that a cell has to end. A cell that
// has written all that it may does not come so far.
func (s Space) Critical() bool { return s.Free < s.Floor/2 }
