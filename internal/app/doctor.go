package app

import (
	"context"
	"fmt"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/disk"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// Findings says what this host offers for runs, what it lacks, and what is kept.
// Deep reads all that is kept, which may take long, and finds what is damaged.
func (a *App) Findings(ctx context.Context, deep bool) []cell.Finding {
	found := []cell.Finding{a.homeFinding()}
	found = append(found, a.diskFinding())
	found = append(found, a.driver.Findings(ctx)...)
	found = append(found, a.imageFinding(), a.images.BaseFinding(ctx), a.secretFinding(), a.warmFinding())
	return append(found, a.stateFindings(ctx, deep)...)
}

func (a *App) homeFinding() cell.Finding {
	if a.unwritable == nil {
		return homeFinding(string(a.Home))
	}
	f := broken("home", a.unwritable, true)
	f.Detail = fmt.Sprintf("%s cannot be written, and is only read: %s", a.Home, f.Detail)
	return f
}

func homeFinding(home string) cell.Finding {
	f := cell.Finding{Subject: "home", OK: true, Detail: home + ", writable by this user alone"}
	if info, err := os.Stat(home); err == nil && info.Mode().Perm()&0o055 != 0 {
		f.OK, f.Detail = false, fmt.Sprintf("%s, which other users can look into (mode %04o)", f.Detail, info.Mode().Perm())
		f.Remedy = "run: chmod 700 " + home
	}
	return f
}

func (a *App) diskFinding() cell.Finding {
	space, err := disk.SpaceOf(string(a.Home))
	if err != nil {
		return broken("disk", err, true)
	}
	f := cell.Finding{Subject: "disk", OK: space.Room() > 0, Fatal: space.Room() <= 0, Detail: fmt.Sprintf("%s are free, of which cells leave %s",
		quantity.FormatSize(space.Free), quantity.FormatSize(space.Floor))}
	if f.Fatal {
		f.Remedy = "free space, for example with: glovebox prune"
	}
	return f
}

func (a *App) imageFinding() cell.Finding {
	images, err := a.images.List()
	if err != nil {
		return broken("images", err, true)
	}
	var bytes int64
	for _, img := range images {
		bytes += img.Size
	}
	return cell.Finding{Subject: "images", OK: true, Detail: fmt.Sprintf("%d images, %d MiB", len(images), bytes>>20)}
}

func (a *App) secretFinding() cell.Finding {
	names, err := a.secrets.List()
	if err != nil {
		return broken("secrets", err, false)
	}
	return cell.Finding{Subject: "secrets", OK: true, Detail: fmt.Sprintf("%d secrets, encrypted with a key file of this user", len(names))}
}

// broken is a part that does not work; runs that do not need it do.
func broken(subject string, err error, fatal bool) cell.Finding {
	e := api.AsError(err)
	return cell.Finding{Subject: subject, Fatal: fatal, Detail: e.Message, Remedy: e.Hint}
}
