package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// glance is how long the doctor looks at each thing that may be large.
const glance = 30 * time.Millisecond

// State says what is kept of runs, and whether it is sound: deep, or as
// far as it can be seen in passing.
func (d Doctor) State(ctx context.Context, deep bool) []cell.Finding {
	stats, err := d.DB.Stats(ctx)
	if err != nil {
		return []cell.Finding{broken("journal", err, true)}
	}
	found := append(d.Journal(ctx, stats, deep), d.blobs(ctx, deep), cacheFinding(stats))
	if n := stats.Runs[api.StatusInterrupted]; n > 0 {
		found = append(found, interruptedFinding(n))
	}
	return found
}

// look bounds a check that is not deep.
func look(ctx context.Context, deep bool) (context.Context, context.CancelFunc) {
	if deep {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, glance)
}

// Journal says what is in the journal, whose numbers are stats, and whether it
// is sound.
func (d Doctor) Journal(ctx context.Context, stats tables.Stats, deep bool) []cell.Finding {
	ctx, cancel := look(ctx, deep)
	defer cancel()
	f := cell.Finding{Subject: "journal", OK: true, Detail: fmt.Sprintf("%s, %s, %s and %d calls; ",
		d.DB.Place(), quantity.FormatSize(stats.Bytes), runCounts(stats.Runs), stats.Calls)}
	check := d.DB.QuickCheck
	if deep {
		check = d.DB.Check
	}
	if err := check(ctx); err != nil && ctx.Err() == nil {
		return []cell.Finding{broken("journal", err, true)}
	}
	damaged, err := d.damagedRows(ctx)
	switch {
	case ctx.Err() != nil:
		f.OK, f.Detail, f.Remedy = false, f.Detail+"it was not checked, for it is too large to be checked in passing", "check it with: glovebox doctor --deep"
	case err != nil:
		return []cell.Finding{broken("journal", err, true)}
	case len(damaged) == 0:
		f.Detail += d.DB.Sound() + ", and each row is what was stored"
	default:
		f.Detail += d.DB.Sound()
	}
	if len(damaged) == 0 {
		return []cell.Finding{f}
	}
	return []cell.Finding{f, damagedFinding("damaged rows", damaged, "what else is in the journal can be used; to have these back, restore it from a copy")}
}

// damagedRows names the rows whose sums are wrong.
func (d Doctor) damagedRows(ctx context.Context) (damaged []string, err error) {
	err = d.DB.CheckRows(ctx, func(err error) {
		damaged = append(damaged, strings.TrimSuffix(err.Error(), ": "+journal.ErrDamaged.Error()))
	})
	return damaged, err
}

// maxNamed is how many damaged things are named.
const maxNamed = 10

func damagedFinding(subject string, damaged []string, remedy string) cell.Finding {
	named := strings.Join(damaged[:min(len(damaged), maxNamed)], ", ")
	if more := len(damaged) - maxNamed; more > 0 {
		named += fmt.Sprintf(", and %d more", more)
	}
	return cell.Finding{Subject: subject, Detail: fmt.Sprintf("%d: %s", len(damaged), named), Remedy: remedy}
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

func (d Doctor) blobs(ctx context.Context, deep bool) cell.Finding {
	ctx, cancel := d.lookAtBlobs(ctx, deep)
	defer cancel()
	count, bytes, least := 0, int64(0), ""
	var damaged []string
	for info, err := range d.Blobs.All(ctx) {
		if ctx.Err() != nil {
			least = "at least "
			break
		}
		if err != nil {
			return broken("blobs", err, true)
		}
		count++
		bytes += info.Size
		if deep && !d.soundBlob(ctx, info.Digest) {
			damaged = append(damaged, info.Digest)
		}
	}
	if len(damaged) > 0 {
		return damagedFinding("damaged blobs", damaged, "runs that need them say storage_corrupt; to have them back, run again what made them, or remove them from "+cmp.Or(d.BlobsPlace, d.Home.Blobs()))
	}
	if d.BlobsPlace != "" && least != "" && count == 0 {
		return cell.Finding{Subject: "blobs", Fatal: true, Detail: fmt.Sprintf("%s did not answer within %s", d.BlobsPlace, patience), Remedy: "check that the store runs and can be reached, and that there are credentials for it"}
	}
	f := cell.Finding{Subject: "blobs", OK: true, Detail: fmt.Sprintf("%s%d blobs, %s", least, count, quantity.FormatSize(bytes))}
	if d.BlobsPlace != "" {
		f.Detail = d.BlobsPlace + ", " + f.Detail
	}
	if deep {
		f.Detail += "; all are what their digests say"
	}
	return f
}

// patience is how long the doctor waits for a store elsewhere.
const patience = 3 * time.Second

func (d Doctor) lookAtBlobs(ctx context.Context, deep bool) (context.Context, context.CancelFunc) {
	if d.BlobsPlace != "" && !deep {
		return context.WithTimeout(ctx, patience)
	}
	return look(ctx, deep)
}

// soundBlob reports whether a blob is what its digest says. One that is removed
// meanwhile is not damaged.
func (d Doctor) soundBlob(ctx context.Context, digest string) bool {
	r, _, err := d.Blobs.Open(ctx, digest)
	if err == nil {
		_, err = io.Copy(io.Discard, r)
		r.Close()
	}
	return err == nil || errors.Is(err, blob.ErrNotFound) || ctx.Err() != nil
}

func cacheFinding(stats tables.Stats) cell.Finding {
	return cell.Finding{Subject: "cache", OK: true, Detail: fmt.Sprintf("%d results, %s with their files", stats.Results, quantity.FormatSize(stats.Kept))}
}

func interruptedFinding(n int) cell.Finding {
	return cell.Finding{
		Subject: "interrupted runs", Detail: fmt.Sprintf("%d; none of them runs, and they keep what they need", n),
		Remedy: "list them with: glovebox runs --status interrupted, and continue with: glovebox resume RUN",
	}
}
