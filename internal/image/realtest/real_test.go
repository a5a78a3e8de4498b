// Package realtest builds images in gVisor cells from the real package index
// and the real mirror. It is a package of its own because gVisor cannot be
// linked into a test binary that is instrumented for fuzzing.
package realtest

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

func TestMain(m *testing.M) {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	os.Exit(m.Run())
}

// realHome is where bases of earlier runs are kept, so that each test does not
// bootstrap a Debian of its own. No other package shares it, because a test looks
// at all that is in it.
func realHome(t *testing.T) string {
	if os.Getenv("GLOVEBOX_TEST_REAL") != "1" {
		t.Skip("needs cells and the network: set GLOVEBOX_TEST_REAL=1")
	}
	return filepath.Join(celltest.CacheDir(t), "builds")
}

func realDriver(t *testing.T) cell.Driver {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d, err := gvisor.New(gvisor.Config{Program: program, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// realService builds in gVisor cells with the network of the host.
func realService(t *testing.T, change func(*image.Config)) *image.Service {
	t.Helper()
	driver := realDriver(t)
	config := image.Config{
		Dir: realHome(t),
		Start: func(ctx context.Context, spec cell.Spec) (image.Cell, error) {
			return cell.Start(ctx, driver, spec)
		},
		Network: api.Network{Public: true}, Within: egress.Within, Never: egress.Never,
		Egress: func(network api.Network, audit func(api.Connection)) (func(context.Context, net.Conn), error) {
			policy, err := egress.ParsePolicy(network)
			if err != nil {
				return nil, err
			}
			return egress.NewProxy(policy, egress.Options{Audit: audit}).Serve, nil
		},
	}
	if change != nil {
		change(&config)
	}
	s, err := image.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func show(t *testing.T) func(api.Progress) {
	return func(p api.Progress) { t.Logf("%s: %s", p.Stage, p.Message) }
}

// runIn runs a command in a fresh cell of an image and returns what it prints.
func runIn(t *testing.T, img *image.Image, argv ...string) string {
	t.Helper()
	c, err := cell.Start(t.Context(), realDriver(t), cell.Spec{ID: "check", RootFS: img.RootFS})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var out strings.Builder
	exit, err := c.Exec(t.Context(), cell.Command{Argv: argv, Env: img.Env, Dir: "/", Stdout: &out, Stderr: &out})
	if err != nil || exit.Code != 0 {
		t.Fatalf("%v: %v %+v\n%s", argv, err, exit, out.String())
	}
	return strings.TrimSpace(out.String())
}

func TestRealNumpy(t *testing.T) {
	realHome(t)
	spec := api.ImageSpec{Packages: []string{"numpy"}}
	s := realService(t, nil)
	img, err := s.Ensure(t.Context(), spec, show(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, api.AsError(err).Details.Log)
	}
	if got := runIn(t, img, img.Python, "-c", "import numpy; print(numpy.arange(11).sum())"); got != "55" {
		t.Errorf("numpy says %q, want 55", got)
	}
	offline := realService(t, func(c *image.Config) {
		c.Start = func(context.Context, cell.Spec) (image.Cell, error) { return nil, errors.New("a cell was started") }
		c.Egress = func(api.Network, func(api.Connection)) (func(context.Context, net.Conn), error) {
			return nil, errors.New("the network was used")
		}
	})
	again, err := offline.Ensure(t.Context(), spec, show(t))
	if err != nil || again.ID != img.ID || again.Built {
		t.Errorf("second Ensure: %+v, %v; want the image %s without a build", again, err, img.ID)
	}
}
