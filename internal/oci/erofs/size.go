package erofs

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// ErrSuperblock says that a file does not begin as Finish has it.
var ErrSuperblock = errors.New("its superblock is not what it was")

// SizeOf returns how long the superblock of a file that Finish made says that
// it is, in bytes.
func SizeOf(r io.ReaderAt) (int64, error) {
	block := make([]byte, BlockSize)
	if _, err := r.ReadAt(block, 0); err != nil && err != io.EOF {
		return 0, fmt.Errorf("read the superblock: %w", err)
	}
	b := block[superOffset:]
	sum := le.Uint32(b[4:])
	le.PutUint32(b[4:], 0)
	if le.Uint32(b[0:]) != superMagic || sum != ^crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) {
		return 0, ErrSuperblock
	}
	return int64(le.Uint32(b[36:])) * BlockSize, nil
}
