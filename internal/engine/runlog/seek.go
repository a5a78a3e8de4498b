package runlog

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

const (
	near    = 64 << 10     // bytes that are read through rather than halved
	glance  = 4 << 10      // bytes in which the next line mostly begins
	farLine = 8 * maxEntry // a line is not longer
)

// SkipTo moves a reader that has not begun towards the entry after a number, without
// reading what is before. Entries at or before it may still come. Where lines are
// torn it stays further in front.
func (r *Reader) SkipTo(after int64) {
	if after <= 0 || r.open() != nil {
		return
	}
	info, err := r.file.Stat()
	if err != nil {
		return
	}
	from, to := int64(0), info.Size()
	for to-from > near {
		middle := from + (to-from)/2
		at, seq := entryAt(r.file, middle)
		switch {
		case seq == 0 || at >= to:
			to = middle
		case seq <= after:
			from = at
		default:
			to = middle
		}
	}
	if _, err := r.file.Seek(from, io.SeekStart); err == nil {
		r.lines.Reset(r.file)
	}
}

// LastSeq returns the number of the last whole entry of a log, 0 if there is none.
func LastSeq(path string) int64 {
	last := lastEntries(path)
	if len(last) == 0 {
		return 0
	}
	return last[len(last)-1].Seq
}

// lastEntries returns the last whole entries of a log: those in its last bytes, or one at
// least if it is not too far from the end.
func lastEntries(path string) (last []api.LogEntry) {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	for size := int64(near); ; size *= 2 {
		from := max(0, info.Size()-size)
		text := make([]byte, info.Size()-from)
		n, _ := file.ReadAt(text, from) // a part is as good as what there is
		if last = wholeEntries(text[:n]); len(last) > 0 || from == 0 || size > 4*farLine {
			return last
		}
	}
}

// wholeEntries reads the entries in a part of a log. What is behind the last end of a line is
// not whole.
func wholeEntries(text []byte) (all []api.LogEntry) {
	lines := bytes.Split(text, []byte{'\n'})
	var d decoder
	for _, line := range lines[:len(lines)-1] {
		if entry, err := d.decode(line); err == nil && entry.Seq > 0 {
			all = append(all, entry)
		}
	}
	return all
}

// entryAt returns where the first line behind a place begins, and its number. It reads
// little at first: most lines are short.
func entryAt(file io.ReaderAt, place int64) (at, seq int64) {
	for size := glance; ; size = farLine {
		text := make([]byte, size+64)
		n, _ := file.ReadAt(text, place) // a part is as good as what there is
		end := bytes.IndexByte(text[:n], '\n')
		if end >= 0 && (n-end > 32 || size == farLine || n < len(text)) {
			return place + int64(end) + 1, seqOf(text[end+1 : n])
		}
		if size == farLine || n < len(text) {
			return 0, 0
		}
	}
}

// seqOf reads the number at the beginning of a line, 0 if there is none.
func seqOf(line []byte) int64 {
	rest, ok := bytes.CutPrefix(line, []byte(`{"seq":`))
	digits := bytes.IndexByte(rest, ',')
	if !ok || digits < 0 || digits > 19 {
		return 0
	}
	seq, err := strconv.ParseInt(string(rest[:digits]), 10, 64)
	if err != nil {
		return 0
	}
	return seq
}
