package peer

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Root is a root file system in the forms that contenders want: the same files.
type Root struct {
	Name   string
	Tar    string // of all files
	Tree   string // the tar, unpacked
	Layout string // an OCI layout whose one layer is the tar
}

// NumPy is the version that all contenders import.
const NumPy = "2.2.6"

// Roots makes root file systems below dir, each once.
type Roots struct{ dir string }

// NewRoots keeps root file systems in dir.
func NewRoots(dir string) *Roots { return &Roots{dir} }

// Base is a Debian with Python.
func (r *Roots) Base(ctx context.Context) (*Root, error) {
	return r.make(ctx, "base", debian("python3"))
}

// Builder is a Debian with what installs Python packages.
func (r *Roots) Builder(ctx context.Context) (*Root, error) {
	return r.make(ctx, "builder", debian("python3,python3-pip,python3-venv,ca-certificates"))
}

// WithNumPy is Base with numpy.
func (r *Roots) WithNumPy(ctx context.Context) (*Root, error) {
	base, err := r.Base(ctx)
	if err != nil {
		return nil, err
	}
	return r.make(ctx, "numpy", func(ctx context.Context, tar string) error {
		tree := tar + ".tree"
		if err := os.RemoveAll(tree); err != nil {
			return err
		}
		defer os.RemoveAll(tree)
		packages := "usr/local/lib/python3.11/dist-packages"
		return steps(ctx,
			[]string{"cp", "-a", base.Tree, tree},
			[]string{"python3", "-m", "pip", "install", "--quiet", "--no-compile", "--target", filepath.Join(tree, packages),
				"--python-version", "3.11", "--only-binary=:all:", "numpy==" + NumPy},
			[]string{"chroot", tree, "python3", "-m", "compileall", "-q", "/" + packages},
			[]string{"tar", "-cf", tar, "-C", tree, "."})
	})
}

// debian makes a Debian of the release of the sandboxes' own base.
func debian(packages string) func(context.Context, string) error {
	return func(ctx context.Context, tar string) error {
		if missing := lacking("mmdebstrap", "mmdebstrap"); missing != "" {
			return fmt.Errorf("%s, so there is no root file system", missing)
		}
		return steps(ctx, []string{"mmdebstrap", "--quiet", "--variant=minbase", "--include=" + packages,
			`--aptopt=Acquire::Languages "none"`, "bookworm", tar})
	}
}

func steps(ctx context.Context, all ...[]string) error {
	for _, argv := range all {
		if _, err := Output(exec.CommandContext(ctx, argv[0], argv[1:]...)); err != nil {
			return err
		}
	}
	return nil
}

// make makes a root file system that is not there yet. What is left half done
// is done again.
func (r *Roots) make(ctx context.Context, name string, build func(ctx context.Context, tar string) error) (*Root, error) {
	dir := filepath.Join(r.dir, name)
	root := &Root{Name: name, Tar: filepath.Join(dir, "root.tar"), Tree: filepath.Join(dir, "tree"), Layout: filepath.Join(dir, "layout")}
	if exists(dir) {
		return root, nil
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(part, "tree"), 0o755); err != nil {
		return nil, err
	}
	fmt.Println("making the root file system", name)
	tar := filepath.Join(part, "root.tar")
	if err := build(ctx, tar); err != nil {
		return nil, err
	}
	if err := steps(ctx, []string{"tar", "-xf", tar, "-C", filepath.Join(part, "tree")}); err != nil {
		return nil, err
	}
	if err := writeLayout(filepath.Join(part, "layout"), tar); err != nil {
		return nil, err
	}
	return root, os.Rename(part, dir)
}
