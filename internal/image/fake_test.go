package image

import (
	"archive/tar"
	"bytes"
	"context"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// fakeCells are cells whose programs are functions of this test. Every program
// that ends well leaves a file in the layer.
type fakeCells struct {
	program func(ctx context.Context, cmd cell.Command) (cell.Exit, error) // nil: every program ends well
	started atomic.Int64
	mu      sync.Mutex
	open    int
	ran     []string // all command lines
	env     []string // of the last program
	put     []byte   // everything that was put into cells
	specs   []cell.Spec
}

type fakeCell struct {
	cells *fakeCells
	files []string
}

func (f *fakeCells) start(_ context.Context, spec cell.Spec) (Cell, error) {
	f.started.Add(1)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open++
	f.specs = append(f.specs, spec)
	return &fakeCell{cells: f}, nil
}

func (c *fakeCell) Put(_ context.Context, _ string, write func(*tar.Writer) error) error {
	var b bytes.Buffer
	if err := write(tar.NewWriter(&b)); err != nil {
		return err
	}
	c.cells.mu.Lock()
	defer c.cells.mu.Unlock()
	c.cells.put = append(c.cells.put, b.Bytes()...)
	return nil
}

func (c *fakeCell) Get(context.Context, string, []string, cell.GetLimits, func(*tar.Header, io.Reader) error) error {
	return nil
}

func (c *fakeCell) Exec(ctx context.Context, cmd cell.Command) (cell.Exit, error) {
	c.cells.mu.Lock()
	c.cells.ran = append(c.cells.ran, strings.Join(cmd.Argv, " "))
	c.cells.env = cmd.Env
	c.cells.mu.Unlock()
	exit, err := cell.Exit{}, error(nil)
	if c.cells.program != nil {
		exit, err = c.cells.program(ctx, cmd)
	}
	if err == nil && exit.Code == 0 {
		c.files = append(c.files, strings.Join(cmd.Argv, " "))
	}
	return exit, err
}

func (c *fakeCell) Layer(_ context.Context, w io.Writer) error {
	tw := tar.NewWriter(w)
	text := strings.Join(c.files, "\n")
	name := "opt/done-" + string(oci.DigestOf([]byte(text)).Hex()[:8])
	if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
		return err
	}
	if _, err := io.WriteString(tw, text); err != nil {
		return err
	}
	return tw.Close()
}

func (c *fakeCell) Close() (cell.Death, error) {
	c.cells.mu.Lock()
	defer c.cells.mu.Unlock()
	c.cells.open--
	return cell.Death{}, nil
}

// says makes every program whose command line has words print text and end
// with status.
func says(words, text string, status int) func(context.Context, cell.Command) (cell.Exit, error) {
	return func(_ context.Context, cmd cell.Command) (cell.Exit, error) {
		if !strings.Contains(strings.Join(cmd.Argv, " "), words) {
			return cell.Exit{}, nil
		}
		_, err := io.WriteString(cmd.Stdout, text)
		return cell.Exit{Code: status}, err
	}
}

func noNetwork(api.Network, func(api.Connection)) (func(context.Context, net.Conn), error) {
	return func(_ context.Context, c net.Conn) { c.Close() }, nil
}

// within knows whole lists only.
func within(inner, outer api.Network) error {
	if outer.Public || slices.Equal(inner.Allow, outer.Allow) && !inner.Public {
		return nil
	}
	return api.Errorf(api.InvalidTask, "network: more than is allowed")
}

func never(host string) bool { return host == "169.254.169.254" }

// fakeService has a store of its own and fake cells.
func fakeService(t testing.TB, dir string, cells *fakeCells) *Service {
	t.Helper()
	s, err := New(Config{Dir: dir, Start: cells.start, Egress: noNetwork, Network: api.Network{Public: true}, Within: within, Never: never, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	// The installer is there as if it had been fetched.
	if err := s.store.writeBytes("uv", uvVersion+"-"+runtime.GOARCH, []byte("uv")); err != nil {
		t.Fatal(err)
	}
	return s
}

// entry is a file of a test image; a target makes it a symbolic link.
type entry struct{ name, content, target string }

// debianLike is a root file system with Python and apt.
func debianLike() []entry {
	status := "Package: base-files\nStatus: install ok installed\nVersion: 12.4\n"
	for _, p := range tools() {
		status += "\nPackage: " + p + "\nStatus: install ok installed\nVersion: 1.0\n"
	}
	return []entry{
		{name: "usr/bin/python3.11", content: "python"}, {name: "usr/bin/python3", target: "python3.11"},
		{name: "usr/bin/apt-get", content: "apt"}, {name: "var/lib/dpkg/status", content: status},
		{name: "etc/apt/sources.list", content: "deb http://mirror.example/debian bookworm main\n"},
	}
}

// writeBase makes an image archive of one layer and returns its reference.
func writeBase(t testing.TB, config oci.Config, entries []entry) string {
	t.Helper()
	var b bytes.Buffer
	tw := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o755, Size: int64(len(e.content)), Linkname: e.target}
		if e.target != "" {
			h.Typeflag = tar.TypeSymlink
		}
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(tw, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	blobs, err := oci.OpenBlobs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	layer, err := blobs.AddLayer(context.Background(), &b, oci.LayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "base.tar")
	img := &oci.Image{Platform: platform(), Config: config, Layers: []oci.Layer{layer}}
	if err := oci.WriteArchive(context.Background(), path, "example.com/base:1", img); err != nil {
		t.Fatal(err)
	}
	return "archive:" + path
}
