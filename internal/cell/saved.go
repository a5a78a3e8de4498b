package cell

import (
	"os"

	"github.com/glovebox-dev/glovebox/api"
)

// SavedFiles hold the state of a cell. They are opened by whoever keeps them, for
// reading and writing where a cell is saved; what was in them is lost then.
type SavedFiles struct {
	Kernel *os.File // what the kernel of the cell knows: processes, descriptors, names of files
	Index  *os.File // which pages of memory and of the writable layer there are
	Pages  *os.File // these pages
}

// Sync writes what the files hold to the disk.
func (f SavedFiles) Sync() error {
	for _, file := range []*os.File{f.Kernel, f.Index, f.Pages} {
		if err := file.Sync(); err != nil {
			return api.Errorf(api.Internal, "writing a saved cell to the disk: %w", err)
		}
	}
	return nil
}

// Saved says what saved files belong to. It is kept beside them, as JSON, and is as
// secret and as trusted as they are.
type Saved struct {
	Driver    string        `json:"driver"`
	Build     string        `json:"build"` // what of the program wrote the files and can read them
	Image     string        `json:"image"` // the name of its file
	Resources api.Resources `json:"resources"`
	Proxy     bool          `json:"proxy"`
	Memory    int64         `json:"memory"` // what the programs held, in bytes
	// Shared is how large each file system in memory is, in bytes: the disk of the host
	// may have had less room then than it has now.
	Shared int64 `json:"shared"`
	// Direct says that a program had the pipes past the guest.
	Direct bool `json:"direct"`
}

// Fits refuses a saved cell that is not one of those that own describes.
func (s Saved) Fits(own Saved) error {
	switch {
	case s.Driver != own.Driver:
		return misfit("driver", s.Driver, own.Driver)
	case s.Build != own.Build:
		return misfit("build", s.Build, own.Build)
	case s.Image != own.Image:
		return misfit("image", s.Image, own.Image)
	case s.Resources != own.Resources:
		return misfit("resources", s.Resources, own.Resources)
	case s.Proxy != own.Proxy:
		return misfit("proxy", s.Proxy, own.Proxy)
	}
	return nil
}

func misfit(what string, saved, own any) error {
	return api.Errorf(api.Conflict, "the saved cell does not fit: its %s is %v, and this cell's is %v", what, saved, own).
		WithDetails(api.Details{Field: what})
}
