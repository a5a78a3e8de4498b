package zone_test

import (
	"slices"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/zone"
)

func TestEveryZoneLoads(t *testing.T) {
	names := zone.Names()
	if len(names) < 590 || !slices.Contains(names, "Europe/Paris") || !slices.Contains(names, "UTC") {
		t.Fatalf("Names() has %d zones", len(names))
	}
	for _, name := range names {
		if _, ok := zone.Load(name); !ok {
			t.Errorf("Load(%q) failed", name)
		}
	}
}

func TestNoOtherZoneLoads(t *testing.T) {
	for _, name := range []string{"", "Europe", "Europe/", "../Europe/Paris", "/etc/localtime", "localtime", "Local", "europe/paris"} {
		if _, ok := zone.Load(name); ok {
			t.Errorf("Load(%q) succeeded", name)
		}
	}
}

// TestLocalAndUniversalAgree goes through two years in steps of 15 minutes:
// whatever a clock shows leads back to when it showed it.
func TestLocalAndUniversalAgree(t *testing.T) {
	for _, name := range []string{"Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu"} {
		l, ok := zone.Load(name)
		if !ok {
			t.Fatal(name)
		}
		for utc := int64(1293840000); utc < 1293840000+2*366*86400; utc += 900 {
			there := utc + int64(zone.At(l, utc).Seconds)
			if back := there - int64(zone.AtLocal(l, there, zone.Later(l, utc)).Seconds); back != utc {
				t.Fatalf("%s: %d is %d there, which is %d", name, utc, there, back)
			}
		}
	}
}
