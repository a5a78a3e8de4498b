package cell

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Class is what all cells that may serve the same run have in common: everything
// about a run that is fixed before it has its cell. Cells of one class are as
// good as each other; what else a run wants comes to its cell with its job. A
// class can be compared by ==.
type Class struct {
	Image     string // the digest of its lock, "sha256:..."
	ImageName string // for people
	Resources api.Resources
	Network   bool    // whether the guest offers its proxy
	Python    bool    // whether an interpreter waits
	Preload   Modules // what it has imported
	Variables string  // the digest of the variables that it was started with
}

// Modules is a list of names of modules that can be compared.
type Modules string

// ModulesOf returns the list of some names, none of which has a space.
func ModulesOf(names []string) Modules { return Modules(strings.Join(names, " ")) }

// Names returns the modules in their order.
func (m Modules) Names() []string { return strings.Fields(string(m)) }

// String names the class in logs, and orders classes.
func (c Class) String() string {
	return fmt.Sprintf("%s (%s) %+v network=%t python=%t preload=%q variables=%s",
		c.Image, c.ImageName, c.Resources, c.Network, c.Python, c.Preload, c.Variables)
}
