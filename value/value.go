package value

import "time"

// Tuple is a Python tuple.
type Tuple []any

// File names the bytes of a file.
type File struct {
	Path   string `json:"path"`
	Size   int64  `json:"size,omitempty"`   // bytes
	SHA256 string `json:"sha256,omitempty"` // of the content, in hexadecimal
}

// Dir names a tree of files.
type Dir struct {
	Path   string `json:"path"`
	Size   int64  `json:"size,omitempty"`   // bytes of all files
	Files  int    `json:"files,omitempty"`  // how many files
	SHA256 string `json:"sha256,omitempty"` // of the tree, in hexadecimal
}

// DataFrame names the bytes of a table.
type DataFrame struct {
	Path   string `json:"path"`
	Format string `json:"format,omitempty"` // "parquet"
	Size   int64  `json:"size,omitempty"`   // bytes
	SHA256 string `json:"sha256,omitempty"` // of the content, in hexadecimal
}

// DateTime is a Python datetime: a clock reading with microseconds in the
// years 1 to 9999, naive or with a fixed offset from UTC.
type DateTime struct {
	Wall   time.Time     // the reading itself, as if in UTC whatever the offset is
	Aware  bool          // whether Offset counts
	Offset time.Duration // east of UTC, less than a day, in whole microseconds
}

// AwareDateTime returns t with its offset, cut to microseconds.
func AwareDateTime(t time.Time) DateTime {
	_, seconds := t.Zone()
	offset := time.Duration(seconds) * time.Second
	return DateTime{Wall: wallClock(t), Aware: true, Offset: offset}
}

// NaiveDateTime returns the clock reading of t without its offset, cut to
// microseconds.
func NaiveDateTime(t time.Time) DateTime { return DateTime{Wall: wallClock(t)} }

func wallClock(t time.Time) time.Time {
	micros := t.Nanosecond() / 1000 * 1000
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), micros, time.UTC)
}

// Time returns the instant; a naive reading counts as UTC.
func (d DateTime) Time() time.Time {
	if !d.Aware {
		return d.Wall
	}
	zone := time.FixedZone("", int(d.Offset/time.Second))
	return d.Wall.Add(-d.Offset).In(zone)
}

// Timedelta is a Python timedelta in its normal form: Days from -999999999 to
// 999999999 carries the sign, Seconds is 0 to 86399, Microseconds 0 to 999999.
type Timedelta struct {
	Days, Seconds, Microseconds int
}

// maxDays bounds Timedelta.Days on both sides.
const maxDays = 999_999_999

// NewTimedelta returns d, rounded down to microseconds.
func NewTimedelta(d time.Duration) Timedelta {
	micros := floorDiv(int64(d), 1000)
	seconds := floorDiv(micros, 1e6)
	days := floorDiv(seconds, 86400)
	return Timedelta{int(days), int(seconds - days*86400), int(micros - seconds*1e6)}
}

func floorDiv(a, b int64) int64 {
	if a < 0 && a%b != 0 {
		return a/b - 1
	}
	return a / b
}

// Duration returns d as a time.Duration; ok is false when it is out of its
// range of about 292 years.
func (d Timedelta) Duration() (v time.Duration, ok bool) {
	const day = 24 * time.Hour
	if d.Days < -106751 || d.Days > 106750 {
		return 0, false
	}
	return time.Duration(d.Days)*day + time.Duration(d.Seconds)*time.Second + time.Duration(d.Microseconds)*time.Microsecond, true
}
