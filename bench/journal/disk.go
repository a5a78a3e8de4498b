package main

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// disk measures what a sync costs here: the least that one durable write takes.
func (b *bench) disk() error {
	const writes = 300
	f, err := os.Create(filepath.Join(b.dir, "sync"))
	if err != nil {
		return err
	}
	var took []time.Duration
	page := make([]byte, 4096)
	for range writes {
		began := time.Now()
		if _, err := f.Write(page); err != nil {
			return errors.Join(err, f.Close())
		}
		if err := f.Sync(); err != nil {
			return errors.Join(err, f.Close())
		}
		took = append(took, time.Since(began))
	}
	b.report.section("The disk", "What everything durable is made of: 4 KiB appended to a file, and synced.",
		[]string{"", "median"}, []string{"append and fsync", micros(median(took))})
	return f.Close()
}
