package cli

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
		var s size
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%q = %d, %v; want %d", text, s, err, want)
		}
	}
	for _, bad := range []string{"", "0", "-1", "Gi", "1Xi", "1i", "1iB", "1GG", "abc", "NaN", "Inf", "1e30", "1 Gi", "9Ei"} {
		var s size
		if err := s.Set(bad); err == nil {
			t.Errorf("%q = %d; want an error", bad, s)
		}
	}
	for n, want := range map[int64]string{5: "5 B", 1 << 30: "1.0 GiB", 3 << 19: "1.5 MiB", 5 << 40: "5.0 TiB"} {
		if got := formatSize(n); got != want {
			t.Errorf("formatSize(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	good := map[string]time.Duration{
		"30s": 30 * time.Second, "30": 30 * time.Second, "1.5": 1500 * time.Millisecond,
		"5m": 5 * time.Minute, "1h30m": 90 * time.Minute, "7d": 7 * 24 * time.Hour,
	}
	for text, want := range good {
		var d duration
		if err := d.Set(text); err != nil || time.Duration(d) != want {
			t.Errorf("%q = %v, %v; want %v", text, time.Duration(d), err, want)
		}
	}
	for _, bad := range []string{"", "0", "-5", "-5s", "soon", "1e300", "NaN", "d", "1w"} {
		var d duration
		if err := d.Set(bad); err == nil {
			t.Errorf("%q = %v; want an error", bad, time.Duration(d))
		}
	}
}
