package app

import (
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// labelLimits are how many runs with a label work at the same time.
func (a *App) labelLimits(o host.Options) (limits []engine.LabelLimit) {
	for _, l := range o.LabelLimits {
		limits = append(limits, engine.LabelLimit(l))
	}
	return limits
}
