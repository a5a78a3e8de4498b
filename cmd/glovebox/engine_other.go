//go:build !linux

package main

import "github.com/glovebox-dev/glovebox/internal/host"

// engine is that of a system without one: commands need a server.
var engine host.None

// becomeCell returns: without an engine, nothing starts this program as a cell.
func becomeCell() {}
