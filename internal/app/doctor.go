package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// Findings says what this host offers for runs, what it lacks, and what is kept.
func (a *App) Findings(ctx context.Context) []cell.Finding {
	found := []cell.Finding{{Subject: "home", OK: true, Detail: a.Home + ", writable by this user alone"}}
	found = append(found, a.driver.Findings(ctx)...)
	found = append(found, a.imageFinding(), baseFinding(os.Getenv("PATH"), os.Geteuid()), a.secretFinding(), a.warmFinding())
	return append(found, a.stateFindings(ctx)...)
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

// baseFinding says whether a base can be made when no registry can be reached.
func baseFinding(path string, uid int) cell.Finding {
	f := cell.Finding{Subject: "image base", Detail: "a registry; without one, images on disk only (--base, --image): "}
	switch {
	case !hasProgram(path, "mmdebstrap"):
		f.Detail += "mmdebstrap is not installed"
		f.Remedy = "apt-get install mmdebstrap"
	case uid != 0 && !hasProgram(path, "newuidmap"):
		f.Detail += "newuidmap, which mmdebstrap needs without root, is not installed"
		f.Remedy = "apt-get install uidmap"
	default:
		f.OK, f.Detail = true, "a registry; without one, a Debian mirror through mmdebstrap"
	}
	return f
}

// hasProgram reports whether one of the directories of path has the program.
func hasProgram(path, name string) bool {
	for _, dir := range filepath.SplitList(path) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return true
		}
	}
	return false
}
