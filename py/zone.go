package py

import (
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/modules"
)

// Zone returns a time zone by its name, such as "Europe/Paris", for Host.Zone,
// and whether there is one. It needs no files of the system.
func Zone(name string) (*time.Location, bool) { return modules.Zone(name) }
