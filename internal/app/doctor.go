package app

import (
	"context"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// Findings says what this host offers for runs and what it lacks.
func (a *App) Findings(ctx context.Context) []cell.Finding {
	found := []cell.Finding{{Subject: "home", OK: true, Detail: a.Home + ", writable by this user alone"}}
	found = append(found, a.driver.Findings(ctx)...)
	return found
}
