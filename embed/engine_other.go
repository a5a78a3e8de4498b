//go:build !linux

package embed

import (
	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// Init does nothing: only on Linux is there an engine whose cells are this
// program.
func Init() {}

// Open fails with isolation_unavailable: the engine needs Linux.
func Open(Options) (*glovebox.Glovebox, error) { return nil, host.Missing() }
