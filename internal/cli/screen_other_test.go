//go:build !linux

package cli

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// onTerminal skips a test that needs a terminal: only on Linux do tests make one.
func onTerminal(t *testing.T, _ api.Service, _ ...string) (text string, status int) {
	t.Helper()
	t.Skip("tests make terminals on Linux only")
	return "", 0
}
