package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// size is a flag that takes bytes: 1048576, 512M, 1Gi, 1.5GiB.
type size int64

func (s *size) String() string { return formatSize(int64(*s)) }
func (s *size) Type() string   { return "SIZE" }

// Set reads a size. Ki, Mi, Gi and Ti are powers of 1024; K, M, G and T, as
// everywhere else in the metric world, of 1000. A final B changes nothing.
func (s *size) Set(text string) error {
	digits := strings.TrimRight(text, "KkMmGgTtiB")
	unit, ok := sizeUnit(text[len(digits):])
	number, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || math.IsNaN(number) || number <= 0 || number*unit >= math.MaxInt64 {
		return fmt.Errorf("%q is not a size; write a number of bytes, or such as 512Mi, 1Gi, 1.5G", text)
	}
	*s = size(number * unit)
	return nil
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

// formatSize writes bytes for people: 512 B, 1.0 GiB.
func formatSize(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n), 0
	for ; value >= 1024 && unit < 4; unit++ {
		value /= 1024
	}
	return fmt.Sprintf("%.1f %ciB", value, " KMGT"[unit])
}

// duration is a flag that takes 30s, 5m, 1h30m, 7d, or plain seconds.
type duration time.Duration

func (d *duration) String() string { return time.Duration(*d).String() }
func (d *duration) Type() string   { return "TIME" }

func (d *duration) Set(text string) error {
	parsed, err := parseDuration(text)
	if err != nil || parsed <= 0 {
		return fmt.Errorf("%q is not a time; write seconds, or such as 30s, 5m, 1h30m", text)
	}
	*d = duration(parsed)
	return nil
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
