package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// glance is how long the doctor looks at each thing that may be large.
const glance = 30 * time.Millisecond

// stateFindings says what is kept of runs, and whether it is sound.
func (a *App) stateFindings(ctx context.Context) []cell.Finding {
	stats, err := a.db.Stats(ctx)
	if err != nil {
		return []cell.Finding{broken("journal", err, true)}
	}
	found := []cell.Finding{a.journalFinding(ctx, stats), a.blobFinding(ctx), cacheFinding(stats)}
	if n := stats.Runs[api.StatusInterrupted]; n > 0 {
		found = append(found, interruptedFinding(n))
	}
	return found
}

func (a *App) journalFinding(ctx context.Context, stats sqlite.Stats) cell.Finding {
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	soundness := "its structure is sound"
	if err := a.db.QuickCheck(ctx); ctx.Err() != nil {
		soundness = "too large to be checked in passing"
	} else if err != nil {
		return broken("journal", err, true)
	}
	return cell.Finding{Subject: "journal", OK: true, Detail: fmt.Sprintf("%s, %s, %s and %d calls; %s",
		a.database(), quantity.FormatSize(stats.Bytes), runCounts(stats.Runs), stats.Calls, soundness)}
}

// runCounts reads as "3 runs (1 failed, 2 succeeded)".
func runCounts(runs map[api.Status]int) string {
	sum, parts := 0, []string(nil)
	for _, status := range slices.Sorted(maps.Keys(runs)) {
		sum += runs[status]
		parts = append(parts, fmt.Sprintf("%d %s", runs[status], status))
	}
	if sum == 0 {
		return "0 runs"
	}
	return fmt.Sprintf("%d runs (%s)", sum, strings.Join(parts, ", "))
}

func (a *App) blobFinding(ctx context.Context) cell.Finding {
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	count, bytes, least := 0, int64(0), ""
	for info, err := range a.blobs.All(ctx) {
		if ctx.Err() != nil {
			least = "at least "
			break
		}
		if err != nil {
			return broken("blobs", err, true)
		}
		count++
		bytes += info.Size
	}
	return cell.Finding{Subject: "blobs", OK: true, Detail: fmt.Sprintf("%s%d blobs, %s", least, count, quantity.FormatSize(bytes))}
}

func cacheFinding(stats sqlite.Stats) cell.Finding {
	return cell.Finding{Subject: "cache", OK: true, Detail: fmt.Sprintf("%d results, %s with their files", stats.Results, quantity.FormatSize(stats.Kept))}
}

func interruptedFinding(n int) cell.Finding {
	return cell.Finding{
		Subject: "interrupted runs", Detail: fmt.Sprintf("%d; nobody carries them out, and they keep what they need", n),
		Remedy: "list them with: glovebox runs --status interrupted, and go on with: glovebox resume RUN",
	}
}
