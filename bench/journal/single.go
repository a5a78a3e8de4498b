package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// single measures runs that come one after the other, each waited for, in a
// journal that has runs already.
func (b *bench) single() error {
	const runs, before = 200, 20_000
	all, closing, err := b.contenders()
	if err != nil {
		return err
	}
	task := function("add")
	costs := map[*contender]*cost{}
	for _, c := range all[1:] {
		costs[c] = &cost{}
		if err := fill(b.ctx, c.place, before); err != nil {
			return errors.Join(err, closing())
		}
	}
	for round := range b.rounds + 1 {
		for _, c := range all[1:] {
			if err := b.oneByOne(c.place, &task, runs, costs[c], round > 0); err != nil {
				return errors.Join(err, closing())
			}
		}
	}
	rows := [][]string{{"", "a run", "99 of 100 within", "processor time", "pages written to the log"}}
	for _, c := range all[1:] {
		k, pages := costs[c], ""
		if len(k.pages) > 0 {
			pages = fmt.Sprintf("%.1f", median(k.pages))
		}
		rows = append(rows, []string{c.name, micros(median(k.took)), micros(within(k.took, 0.99)), micros(median(k.processor)), pages})
	}
	b.report.section("One run after the other", fmt.Sprintf(
		"A function of this process that adds two numbers, %d runs in turn, in a journal of %d runs.", runs, before), rows...)
	return closing()
}

// cost is what each run of a round took, and the means of processor time and
// pages of the round.
type cost struct {
	took, processor []time.Duration
	pages           []float64
}

func (b *bench) oneByOne(p *place, task *api.Task, n int, k *cost, counts bool) error {
	pages, log := 0, walLog{}
	if p.db != nil {
		if err := log.open(filepath.Join(p.dir, "glovebox.db-shm")); err != nil {
			return err
		}
		defer log.file.Close()
	}
	before, err := processorTime()
	if err != nil {
		return err
	}
	for i := range n {
		began := time.Now()
		result, err := p.run(b.ctx, task, map[string]any{"x": int64(i), "y": int64(1)})
		took := time.Since(began)
		if err := check(result, err, int64(i)+1); err != nil {
			return err
		}
		if p.db != nil {
			more, err := log.more()
			if err != nil {
				return err
			}
			pages += more
		}
		if counts {
			k.took = append(k.took, took)
		}
	}
	after, err := processorTime()
	if err != nil || !counts {
		return err
	}
	k.processor = append(k.processor, (after-before)/time.Duration(n))
	if p.db != nil {
		k.pages = append(k.pages, float64(pages)/float64(n))
	}
	return nil
}

// processorTime is what this process has used so far.
func processorTime() (time.Duration, error) {
	var u unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// walLog counts the pages that are written to the log of a database, by the
// header of its index: https://www.sqlite.org/walformat.html.
type walLog struct {
	file *os.File
	last int
}

func (l *walLog) open(path string) (err error) {
	if l.file, err = os.Open(path); err == nil {
		_, err = l.more()
	}
	return err
}

// more is how many there are since it was asked last. A log that begins anew
// has fewer.
func (l *walLog) more() (int, error) {
	header := make([]byte, 20)
	if _, err := l.file.ReadAt(header, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	now, before := int(binary.NativeEndian.Uint32(header[16:])), l.last
	l.last = now
	if now < before {
		return now, nil
	}
	return now - before, nil
}
