package client

import "testing"

// specialFile names a device, as Windows has no pipes in directories.
func specialFile(*testing.T) string { return `\\.\NUL` }
