package quantity

import (
	"testing"
	"time"
)

func TestSize(t *testing.T) {
	good := map[string]int64{
		"1": 1, "1048576": 1 << 20, "1Gi": 1 << 30, "1GiB": 1 << 30, "512Mi": 512 << 20, "512M": 512e6, "512MB": 512e6,
		"1.5Gi": 3 << 29, "2k": 2000, "2Ki": 2048, "1T": 1e12, "1gi": 1 << 30, "10B": 10,
	}
	for text, want := range good {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "0", "-1", "Gi", "1Xi", "1i", "1iB", "1GG", "abc", "NaN", "Inf", "1e30", "1 Gi", "9Ei", "0Gi", "0.5", "1e-9K"} {
		if got, err := ParseSize(bad); err == nil {
			t.Errorf("%q = %d; want an error", bad, got)
		}
	}
	for n, want := range map[int64]string{5: "5 B", 1 << 30: "1.0 GiB", 3 << 19: "1.5 MiB", 5 << 40: "5.0 TiB"} {
		if got := FormatSize(n); got != want {
			t.Errorf("FormatSize(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	good := map[string]time.Duration{
		"30s": 30 * time.Second, "30": 30 * time.Second, "1.5": 1500 * time.Millisecond,
		"5m": 5 * time.Minute, "1h30m": 90 * time.Minute, "7d": 7 * 24 * time.Hour,
	}
	for text, want := range good {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "0", "-5", "-5s", "soon", "1e300", "NaN", "d", "1w"} {
		if got, err := ParseDuration(bad); err == nil {
			t.Errorf("%q = %v; want an error", bad, got)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 1500: "2µs", 12345 * time.Microsecond: "12.3ms", 3456 * time.Millisecond: "3.46s",
		12345 * time.Millisecond: "12.3s", 312400 * time.Millisecond: "5m12s",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("FormatDuration(%d) = %q, want %q", d, got, want)
		}
	}
}
