package erofs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
)

// Sizes of the structures on disk: bytes.
const (
	inodeSize  = 64 // the extended form; it alone has a time of its own
	direntSize = 12
	maxName    = 255
	slotSize   = 32 // inodes are numbered by the slot at which they start
)

// place is where the inode and what belongs to it come to lie.
type place struct {
	planned bool
	inline  bool   // the tail follows the inode
	number  uint32 // counts from 1
	offset  int64  // of the inode, from the start of the metadata
	block   int64  // of the tail, if it is not inline
	tail    int64  // bytes of directory entries or of a link target
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
		if err := p.add(inode); err != nil {
			return nil, err
		}
		for _, e := range slices.Backward(inode.Entries) {
			if e.Name != "." && e.Name != ".." {
				stack = append(stack, e.Inode)
			}
		}
	}
	if len(p.inodes) >= math.MaxUint32 {
		return nil, errors.New("file system of more than 4 billion files")
	}
	return p, nil
}

func (p *plan) add(inode *Inode) error {
	inode.place.planned = true
	inode.place.number = uint32(len(p.inodes)) + 1
	if err := inode.sort(); err != nil {
		return err
	}
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
	return nil
}

// sort puts the entries of a directory in the order of their bytes, in which
// readers search. "." and ".." have no special place in it.
func (i *Inode) sort() error {
	if !i.Mode.IsDir() {
		return nil
	}
	for _, e := range i.Entries {
		if e.Inode.Mode.IsDir() {
			e.Inode.parent = i
			i.links++
		}
	}
	i.links++
	i.Entries = append(i.Entries, Entry{".", i}, Entry{"..", i.parent})
	slices.SortFunc(i.Entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	for n, e := range i.Entries {
		if e.Name == "" || len(e.Name) > maxName || n > 0 && e.Name == i.Entries[n-1].Name {
			return fmt.Errorf("name %.300q in a directory is empty, too long or there twice", e.Name)
		}
	}
	return nil
}

func (i *Inode) tailSize() int64 {
	if i.Mode&fs.ModeSymlink != 0 {
		return int64(len(i.Target))
	}
	var size int64
	for rest := i.Entries; len(rest) > 0; {
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
func fill(entries []Entry) (n, used int) {
	for _, e := range entries {
		if used+direntSize+len(e.Name) > BlockSize {
			break
		}
		used += direntSize + len(e.Name)
		n++
	}
	return n, used
}
