// Package zone knows the world's time zones. Their data comes with the program
// (zoneinfo.zip is Go's lib/time/zoneinfo.zip, the public-domain tz database),
// so that a program finds the same on every host and no file is read.
package zone

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed zoneinfo.zip
var archive string

var (
	files  = sync.OnceValue(func() map[string]string { return index(archive) })
	loaded sync.Map // of string to *time.Location
)

// The parts of an archive whose files are not compressed.
const (
	endMark   = "PK\x05\x06"
	entryMark = "PK\x01\x02"
	entryHead = 46
	fileHead  = 30
)

// index finds the files of the archive by its list of entries. The archive is a
// part of the program; the tests look at every file of it.
func index(zip string) map[string]string {
	all := map[string]string{}
	end := strings.LastIndex(zip, endMark)
	if end < 0 {
		return all
	}
	at := number(zip, end+16, 4)
	for strings.HasPrefix(zip[at:], entryMark) {
		size, name := number(zip, at+20, 4), zip[at+entryHead:at+entryHead+number(zip, at+28, 2)]
		file := number(zip, at+42, 4)
		data := file + fileHead + number(zip, file+26, 2) + number(zip, file+28, 2)
		if !strings.HasSuffix(name, "/") {
			all[name] = zip[data : data+size]
		}
		at += entryHead + len(name) + number(zip, at+30, 2) + number(zip, at+32, 2)
	}
	return all
}

// number is the int in size bytes, the least significant first.
func number(s string, at, size int) int {
	n := 0
	for i := range size {
		n |= int(s[at+i]) << (8 * i)
	}
	return n
}

// Names lists the zones in alphabetical order.
func Names() []string {
	names := make([]string, 0, len(files()))
	for name := range files() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Load returns a zone by its name, such as "Europe/Paris".
func Load(name string) (*time.Location, bool) {
	if l, ok := loaded.Load(name); ok {
		return l.(*time.Location), true
	}
	data, ok := files()[name]
	if !ok {
		return nil, false
	}
	l, err := time.LoadLocationFromTZData(name, []byte(data))
	if err != nil {
		return nil, false
	}
	loaded.Store(name, l)
	return l, true
}

// Offset is what a zone adds to UTC: the whole, and the part of it that is
// summer time, in seconds.
type Offset struct {
	Seconds, Saving int
	Name            string
}

// At returns the offset at a time in seconds since 1970 in UTC.
func At(l *time.Location, utc int64) Offset {
	t := time.Unix(utc, 0).In(l)
	name, seconds := t.Zone()
	o := Offset{Seconds: seconds, Name: name}
	if t.IsDST() {
		o.Saving = saving(t, seconds)
	}
	return o
}

// saving is by how much summer time differs from the standard time next to it,
// an hour where there is none.
func saving(t time.Time, seconds int) int {
	start, end := t.ZoneBounds()
	if !end.IsZero() && !end.IsDST() {
		if _, standard := end.Zone(); standard != seconds {
			return seconds - standard
		}
	}
	if !start.IsZero() {
		if before := start.Add(-time.Second); !before.IsDST() {
			if _, standard := before.Zone(); standard != seconds {
				return seconds - standard
			}
		}
	}
	return 3600
}

// day is more than any offset, and less than the time between two changes.
const day = 86400

// AtLocal returns the offset at a local time, in seconds since 1970 on a clock
// in the zone. Where clocks were put back it comes twice, and later tells which
// is meant; where they were put forward it never comes, and later counts by the
// new offset instead of the old.
func AtLocal(l *time.Location, local int64, later bool) Offset {
	before, after := At(l, local-day), At(l, local+day)
	if before.Seconds == after.Seconds {
		return At(l, local-int64(before.Seconds))
	}
	one := At(l, local-int64(before.Seconds))
	two := At(l, local-int64(after.Seconds))
	first, second := one.Seconds == before.Seconds, two.Seconds == after.Seconds
	if first == second {
		if later {
			return after
		}
		return before
	}
	if first {
		return one
	}
	return two
}

// Later reports whether a time in seconds since 1970 in UTC is the second one
// that clocks in the zone show alike.
func Later(l *time.Location, utc int64) bool {
	local := utc + int64(At(l, utc).Seconds)
	return int64(AtLocal(l, local, false).Seconds) != local-utc
}
