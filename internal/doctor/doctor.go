// Package doctor finds what a host lacks for runs, and what is wrong with what is
// kept: the lines of glovebox doctor. It repairs nothing. A finding names its
// subject, what was seen and what to do; a fatal one keeps runs from starting.
package doctor

import (
	"context"
	"fmt"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/disk"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// Database is the journal as the doctor sees it.
type Database interface {
	Place() string
	Stats(context.Context) (tables.Stats, error)
	// QuickCheck and Check look at its structure, and CheckRows calls found for each
	// row that is not what was stored.
	QuickCheck(context.Context) error
	Check(context.Context) error
	// Sound is what is known of it when they find nothing, such as "it answers".
	Sound() string
	CheckRows(ctx context.Context, found func(error)) error
}

// Doctor looks at the parts of one home.
type Doctor struct {
	Home       home.Dir
	Unwritable error // why the home is only read; nil if it is not
	Driver     cell.Driver
	Images     *image.Service
	Secrets    func() ([]string, error) // their names
	Warm       string                   // how many cells are kept ready
	DB         Database
	Blobs      blob.Store
	BlobsPlace string // where they are, or "" for the home
}

// Findings says what this host offers for runs, what it lacks, and what is kept.
// Deep reads all that is kept, which may take long, and finds what is damaged.
func (d Doctor) Findings(ctx context.Context, deep bool) []cell.Finding {
	found := []cell.Finding{d.home(), d.disk()}
	found = append(found, d.Driver.Findings(ctx)...)
	found = append(found, d.images(), d.Images.BaseFinding(ctx), d.secrets(), cell.Finding{Subject: "warm cells", OK: true, Detail: d.Warm})
	return append(found, d.State(ctx, deep)...)
}

func (d Doctor) home() cell.Finding {
	if d.Unwritable == nil {
		return homeFinding(string(d.Home))
	}
	f := broken("home", d.Unwritable, true)
	f.Detail = fmt.Sprintf("%s cannot be written, and is only read: %s", d.Home, f.Detail)
	return f
}

func homeFinding(dir string) cell.Finding {
	f := cell.Finding{Subject: "home", OK: true, Detail: dir + ", writable by this user alone"}
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o055 != 0 {
		f.OK, f.Detail = false, fmt.Sprintf("%s, which other users can look into (mode %04o)", f.Detail, info.Mode().Perm())
		f.Remedy = "run: chmod 700 " + dir
	}
	return f
}

func (d Doctor) disk() cell.Finding {
	space, err := disk.SpaceOf(string(d.Home))
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

func (d Doctor) images() cell.Finding {
	images, err := d.Images.List()
	if err != nil {
		return broken("images", err, true)
	}
	var bytes int64
	for _, img := range images {
		bytes += img.Size
	}
	return cell.Finding{Subject: "images", OK: true, Detail: fmt.Sprintf("%d images, %d MiB", len(images), bytes>>20)}
}

func (d Doctor) secrets() cell.Finding {
	names, err := d.Secrets()
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
