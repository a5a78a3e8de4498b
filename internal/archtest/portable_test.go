package archtest

import (
	"strings"
	"testing"
)

// TestFacesLinkNoEngine holds that a program that only dials links no engine on
// Linux, and that no program does on other systems.
func TestFacesLinkNoEngine(t *testing.T) {
	refuseEngine(t, "linux", "./", "./client", "./internal/cli")
	for _, system := range systems {
		refuseEngine(t, system, portables...)
	}
}

func refuseEngine(t *testing.T, system string, pkgs ...string) {
	t.Helper()
	for _, p := range linkedOn(t, system, pkgs...) {
		for _, part := range engineParts {
			if p.ImportPath == part || strings.HasPrefix(p.ImportPath, part+"/") {
				t.Errorf("on %s, one of %q links %s", system, pkgs, p.ImportPath)
			}
		}
		if p.Error != nil {
			t.Errorf("on %s, %s cannot be built: %s", system, p.ImportPath, p.Error.Err)
		}
	}
}
