package erofs

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"slices"
)

// Sizes of the structures on disk: bytes.
const (
	inodeSize  = 64 // the extended form; it alone has a time of its own
	direntSize = 12
	slotSize   = 32 // inodes are numbered by the slot at which they start
)

// place is where the inode and what belongs to it come to lie.
type place struct {
	planned bool
	number  uint32 // counts from 1
	offset  int64  // of the inode, from the start of the metadata
	inline  bool   // the tail follows the inode
	block   int64  // of the tail, if it does not
	tail    int64  // bytes of directory entries or of a link target
	dirents []dirent
}

type dirent struct {
	name  string
	inode *Inode
}

// plan is the order in which the metadata is written.
type plan struct {
	inodes []*Inode
	size   int64 // of the inodes with their inline tails
	blocks int64 // of the other tails, which follow
}

// makePlan visits the tree in the order of names, so that equal trees give
// equal images.
func makePlan(root *Inode) (*plan, error) {
	p := &plan{}
	root.parent = root
	stack := []*Inode{root}
	for len(stack) > 0 {
		inode := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		inode.links++
		if inode.place.planned {
			if inode.Mode.IsDir() {
				return nil, errors.New("directory with two names")
			}
			continue
		}
		p.add(inode)
		for _, d := range slices.Backward(inode.place.dirents) {
			if d.name != "." && d.name != ".." {
				stack = append(stack, d.inode)
			}
		}
	}
	if len(p.inodes) >= math.MaxUint32 {
		return nil, errors.New("file system of more than 4 billion files")
	}
	return p, nil
}

func (p *plan) add(inode *Inode) {
	inode.place.planned = true
	inode.place.number = uint32(len(p.inodes)) + 1
	inode.sort()
	inode.place.tail = inode.tailSize()
	p.inodes = append(p.inodes, inode)

	whole := inodeSize + inode.place.tail
	inode.place.inline = inode.place.tail > 0 && whole <= BlockSize
	if !inode.place.inline {
		whole = inodeSize
	}
	// An inode with its inline tail must not cross a block.
	if p.size%BlockSize+whole > BlockSize {
		p.size = blocks(p.size) * BlockSize
	}
	inode.place.offset = p.size
	p.size += (whole + slotSize - 1) / slotSize * slotSize
	if !inode.place.inline {
		inode.place.block = p.blocks
		p.blocks += blocks(inode.place.tail)
	}
}

// sort lists the entries of a directory in the order of their bytes, in which
// readers search. "." and ".." have no special place in it.
func (i *Inode) sort() {
	if !i.Mode.IsDir() {
		return
	}
	i.place.dirents = make([]dirent, 0, len(i.Entries)+2)
	i.place.dirents = append(i.place.dirents, dirent{".", i}, dirent{"..", i.parent})
	i.links++
	for name, child := range i.Entries {
		if child.Mode.IsDir() {
			child.parent = i
			i.links++
		}
		i.place.dirents = append(i.place.dirents, dirent{name, child})
	}
	slices.SortFunc(i.place.dirents, func(a, b dirent) int { return cmp.Compare(a.name, b.name) })
	i.Entries = nil
}

func (i *Inode) tailSize() int64 {
	if i.Mode&fs.ModeSymlink != 0 {
		return int64(len(i.Target))
	}
	var size int64
	for rest := i.place.dirents; len(rest) > 0; {
		n, used := fill(rest)
		rest = rest[n:]
		if len(rest) > 0 {
			used = BlockSize
		}
		size += int64(used)
	}
	return size
}

// fill says how many of the entries go into one block, and how many bytes they
// take there.
func fill(dirents []dirent) (n, used int) {
	for _, d := range dirents {
		if used+direntSize+len(d.name) > BlockSize {
			break
		}
		used += direntSize + len(d.name)
		n++
	}
	return n, used
}
