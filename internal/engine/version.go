package engine

import (
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// versionRef is the reference of a deployed version.
func versionRef(v *api.TaskVersion) string { return v.Name + "@" + strconv.Itoa(v.Version) }
