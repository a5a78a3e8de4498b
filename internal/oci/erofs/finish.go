package erofs

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
)

// The superblock, from struct erofs_super_block.
const (
	superOffset   = 1024
	superMagic    = 0xe0f5e1e2
	superChecksum = 1 // a compatible feature
	blockBits     = 12
)

// How the data of an inode lies, from enum of erofs_fs.h; the lowest bit of the
// format says that the inode is of the extended form.
const (
	formatPlain  = 0<<1 | 1
	formatInline = 2<<1 | 1
)

var le = binary.LittleEndian

// Finish writes the tree below root, which it uses up, and the superblock.
func (w *Writer) Finish(root *Inode) error {
	if !root.Mode.IsDir() {
		return errors.New("root of a file system that is not a directory")
	}
	p, err := makePlan(root)
	if err != nil {
		return err
	}
	meta := w.next
	tails := meta + blocks(p.size)
	if tails+p.blocks > math.MaxUint32 {
		return errors.New("file system of more than 16 TiB")
	}
	if err := w.writeMetadata(p, meta, tails); err != nil {
		return err
	}
	w.next = tails + p.blocks
	if err := w.f.Truncate(w.Size()); err != nil {
		return err
	}
	return w.writeSuperblock(len(p.inodes), meta)
}

func (w *Writer) writeMetadata(p *plan, meta, tails int64) error {
	out := &padded{w: bufio.NewWriterSize(io.NewOffsetWriter(w.f, meta*BlockSize), 256<<10)}
	for _, inode := range p.inodes {
		out.padTo(inode.place.offset)
		out.write(inode.header(tails))
		if inode.place.inline {
			out.writeTail(inode)
		}
	}
	for _, inode := range p.inodes {
		if inode.place.inline || inode.place.tail == 0 {
			continue
		}
		out.padTo((tails - meta + inode.place.block) * BlockSize)
		out.writeTail(inode)
	}
	return out.flush()
}

// header encodes struct erofs_inode_extended.
func (i *Inode) header(tails int64) []byte {
	b := make([]byte, inodeSize)
	le.PutUint16(b[0:], formatPlain)
	if i.place.inline {
		le.PutUint16(b[0:], formatInline)
	}
	size, block := i.Data.Size, int64(i.Data.block)
	if !i.Mode.IsRegular() {
		size, block = i.place.tail, 0
		if size > 0 && !i.place.inline {
			block = tails + i.place.block
		}
	}
	le.PutUint16(b[4:], unixMode(i.Mode))
	le.PutUint64(b[8:], uint64(size))
	le.PutUint32(b[16:], uint32(block))
	le.PutUint32(b[20:], i.place.number)
	le.PutUint32(b[24:], i.UID)
	le.PutUint32(b[28:], i.GID)
	le.PutUint64(b[32:], uint64(i.Mtime))
	le.PutUint32(b[40:], i.Nsec)
	le.PutUint32(b[44:], i.links)
	return b
}

// The file types of stat(2).
const (
	unixFIFO    = 0o010000
	unixDir     = 0o040000
	unixRegular = 0o100000
	unixSymlink = 0o120000
)

func unixMode(mode fs.FileMode) uint16 {
	m := uint16(mode.Perm())
	if mode&fs.ModeSetuid != 0 {
		m |= 0o4000
	}
	if mode&fs.ModeSetgid != 0 {
		m |= 0o2000
	}
	if mode&fs.ModeSticky != 0 {
		m |= 0o1000
	}
	switch mode.Type() {
	case fs.ModeDir:
		return m | unixDir
	case fs.ModeSymlink:
		return m | unixSymlink
	case fs.ModeNamedPipe:
		return m | unixFIFO
	}
	return m | unixRegular
}

// fileType is the type of an entry in a directory, as in linux/fs_types.h.
func fileType(mode fs.FileMode) byte {
	switch mode.Type() {
	case fs.ModeDir:
		return 2
	case fs.ModeNamedPipe:
		return 5
	case fs.ModeSymlink:
		return 7
	}
	return 1
}

// writeSuperblock fills the first block.
func (w *Writer) writeSuperblock(inodes int, meta int64) error {
	block := make([]byte, BlockSize)
	b := block[superOffset:]
	le.PutUint32(b[0:], superMagic)
	le.PutUint32(b[8:], superChecksum)
	b[12] = blockBits
	le.PutUint16(b[14:], 0) // the root is the first inode
	le.PutUint64(b[16:], uint64(inodes))
	le.PutUint32(b[36:], uint32(w.next))
	le.PutUint32(b[40:], uint32(meta))
	le.PutUint32(b[4:], ^crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	_, err := w.f.WriteAt(block, 0)
	return err
}

// padded writes at rising offsets and remembers the first error.
type padded struct {
	w   *bufio.Writer
	at  int64
	err error
}

func (p *padded) write(b []byte) {
	if p.err != nil {
		return
	}
	n, err := p.w.Write(b)
	p.at += int64(n)
	p.err = err
}

func (p *padded) padTo(offset int64) {
	if offset < p.at && p.err == nil {
		p.err = fmt.Errorf("metadata runs backwards, from %d to %d", p.at, offset)
	}
	var zeros [512]byte
	for p.at < offset && p.err == nil {
		p.write(zeros[:min(offset-p.at, int64(len(zeros)))])
	}
}

func (p *padded) flush() error {
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}

func (p *padded) writeTail(inode *Inode) {
	if inode.Mode&fs.ModeSymlink != 0 {
		p.write([]byte(inode.Target))
		return
	}
	for rest := inode.Entries; len(rest) > 0; {
		n, used := fill(rest)
		p.writeDirents(rest[:n])
		rest = rest[n:]
		if len(rest) > 0 {
			p.write(make([]byte, BlockSize-used))
		}
	}
}

// writeDirents writes the entries of one block, struct erofs_dirent each, and
// then their names.
func (p *padded) writeDirents(entries []Entry) {
	nameAt := len(entries) * direntSize
	for _, e := range entries {
		var b [direntSize]byte
		le.PutUint64(b[0:], uint64(e.Inode.place.offset/slotSize))
		le.PutUint16(b[8:], uint16(nameAt))
		b[10] = fileType(e.Inode.Mode)
		p.write(b[:])
		nameAt += len(e.Name)
	}
	for _, e := range entries {
		p.write([]byte(e.Name))
	}
}
