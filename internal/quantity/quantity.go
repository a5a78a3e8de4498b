// Package quantity reads and writes bytes and times as people do.
package quantity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseSize reads a number of bytes: 1048576, 512M, 1Gi, 1.5GiB. Ki, Mi, Gi and
// Ti are powers of 1024; K, M, G and T, as everywhere else in the metric world,
// of 1000. A final B changes nothing.
func ParseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KkMmGgTtiB")
	unit, ok := sizeUnit(text[len(digits):])
	number, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || math.IsNaN(number) || number*unit < 1 || number*unit >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a size; write a number of bytes, or such as 512Mi, 1Gi, 1.5G", text)
	}
	return int64(number * unit), nil
}

func sizeUnit(suffix string) (float64, bool) {
	suffix = strings.ToUpper(strings.TrimSuffix(suffix, "B"))
	base := 1000.0
	if short, ok := strings.CutSuffix(suffix, "I"); ok {
		base, suffix = 1024, short
		if suffix == "" {
			return 0, false
		}
	}
	if len(suffix) > 1 {
		return 0, false
	}
	exponent := strings.Index("KMGT", suffix)
	if suffix == "" {
		return 1, true
	}
	return math.Pow(base, float64(exponent+1)), true
}

// FormatSize writes bytes for people: 512 B, 1.0 GiB.
func FormatSize(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n), 0
	for ; value >= 1024 && unit < 4; unit++ {
		value /= 1024
	}
	return fmt.Sprintf("%.1f %ciB", value, " KMGT"[unit])
}

// ParseDuration reads a time above 0: 30s, 5m, 1h30m, 7d, or plain seconds.
func ParseDuration(text string) (time.Duration, error) {
	parsed, err := parseDuration(text)
	if err != nil || parsed <= 0 {
		return 0, fmt.Errorf("%q is not a time; write seconds, or such as 30s, 5m, 1h30m", text)
	}
	return parsed, nil
}

func parseDuration(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		return scaled(days, 24*time.Hour)
	}
	if parsed, err := time.ParseDuration(text); err == nil {
		return parsed, nil
	}
	return scaled(text, time.Second)
}

func scaled(number string, unit time.Duration) (time.Duration, error) {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, err
	}
	if n *= float64(unit); math.IsNaN(n) || math.Abs(n) >= math.MaxInt64 {
		return 0, strconv.ErrRange
	}
	return time.Duration(n), nil
}

// FormatDuration writes a time for people, in about three digits: 12ms, 3.4s,
// 5m12s.
func FormatDuration(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(time.Millisecond / 10).String()
	}
	return d.Round(time.Microsecond).String()
}
