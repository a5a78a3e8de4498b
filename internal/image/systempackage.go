package image

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// systemPackagePattern is a Debian package name as policy 5.6.1 has it, with an
// optional architecture and an optional version (policy 5.6.12). Nothing that
// apt reads as an option, a path, a task or a regular expression fits.
var systemPackagePattern = lazyregexp.New(`^[a-z0-9][a-z0-9+.-]{1,127}(:[a-z0-9]{1,32})?(=([0-9]{1,9}:)?[0-9][A-Za-z0-9.+~-]{0,127})?$`)

// checkSystemPackage refuses what is not the name of a Debian package. A
// trailing '-' or '+' is refused as well: apt would remove or mark a package.
func checkSystemPackage(name string) error {
	last := byte(0)
	if name != "" {
		last = name[len(name)-1]
	}
	if systemPackagePattern().MatchString(name) && last != '-' && (last != '+' || allowedPlus(name)) {
		return nil
	}
	shown := name
	if len(shown) > 200 {
		shown = shown[:200] + "..."
	}
	return api.Errorf(api.InvalidPackage, "system package %q is not a valid package name", shown).
		WithHint("write the name of a Debian package, such as libgl1 or curl=7.88.1-10").
		WithDetails(api.Details{Field: "system_packages", Package: shown, Got: shown, Expected: "[a-z0-9][a-z0-9+.-]+ with an optional :arch and =version"})
}

// allowedPlus accepts names that end in "++", such as g++, which apt knows as
// packages of that name.
func allowedPlus(name string) bool { return len(name) > 2 && name[len(name)-2] == '+' }
