package main

import "github.com/glovebox-dev/glovebox/internal/app"

// engine is the engine of this machine.
var engine app.Engine

// becomeCell does not return if this process was started to be a cell.
func becomeCell() { app.Reexec() }
