package runlog

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkRead reads a log of 100,000 lines that were printed one by one.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log")
	log := New(path, func() {}, Bound{})
	for i := range 100_000 {
		log.Add("stdout", fmt.Appendf(nil, "line %07d of what a program prints, which has sixty bytes\n", i+1))
	}
	log.Close()
	for b.Loop() {
		entries := 0
		for range Read(path) {
			entries++
		}
		if entries != 100_000 {
			b.Fatal(entries)
		}
	}
}
