package machine_test

import (
	"os"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/modules"
)

// TestMain boots the machine with the native modules, which the tests inside
// the package cannot import.
func TestMain(m *testing.M) {
	machine.Boot(modules.Define)
	os.Exit(m.Run())
}
