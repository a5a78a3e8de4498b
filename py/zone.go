package py

import (
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/zone"
)

// Zone returns a time zone by its name, such as "Europe/Paris", for Host.Zone,
// and whether there is one. It needs no files of the system.
func Zone(name string) (*time.Location, bool) { return zone.Load(name) }
