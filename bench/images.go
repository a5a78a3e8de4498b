package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/bench/report"
)

const (
	buildName       = "glovebox image build"
	dockerBuildName = "docker build"
)

// images builds the same with Glovebox and docker: steps that are new each
// time, and steps that were done before.
func (b *bench) images(ctx context.Context, g *report.Group) error {
	root, err := b.site.roots.Builder(ctx)
	if err != nil {
		return err
	}
	built, err := b.site.cold()
	if err != nil {
		return err
	}
	for _, c := range []struct {
		work   string
		rounds int
		step   step
	}{
		{"one command", b.some(), commandStep},
		{"numpy " + peer.NumPy + " from the index", min(b.rounds, networkRounds), numpyStep},
	} {
		for _, cached := range []bool{false, true} {
			rows := inTurns(ctx, c.work+temperature(cached), c.rounds, []way{b.dockerBuild(ctx, root, c.step, cached), built.build(root, c.step, cached)})
			g.Rows = append(g.Rows, rows...)
		}
	}
	b.forgetBuilds(ctx)
	return ctx.Err()
}

// forgetBuilds removes what docker has built, which has no name, so that
// sessions do not fill the disk.
func (b *bench) forgetBuilds(ctx context.Context) {
	if d, err := b.site.docker(); err == nil {
		_, _ = peer.Output(d.Command(ctx, "image", "prune", "--force"))
	}
}

// networkRounds bounds how often a package is fetched from an index that is not ours.
const networkRounds = 5

func temperature(cached bool) string {
	if cached {
		return ", cached"
	}
	return ", cold"
}

// step is one of a build, as both write it; equal serial numbers give equal steps.
type step func(serial string) (spec glovebox.Image, dockerfile string)

func commandStep(serial string) (glovebox.Image, string) {
	command := "echo " + serial + " > /opt/serial"
	return glovebox.Image{Commands: []string{command}}, "RUN " + command + "\n"
}

// numpyStep has the serial number in a marker that is always true.
func numpyStep(serial string) (glovebox.Image, string) {
	requirement := fmt.Sprintf("numpy==%s; python_full_version != '0.%s'", peer.NumPy, serial)
	return glovebox.Image{Packages: []string{requirement}},
		"COPY certificates.pem /tmp/\nRUN PIP_CERT=/tmp/certificates.pem python3 -m pip install --quiet --no-cache-dir --break-system-packages \"" + requirement + "\"\n"
}

// serials gives the step of each build its number: always another one or always
// the same.
func serials(cached bool) func() string {
	n := time.Now().UnixNano()
	return func() string {
		if !cached {
			n++
		}
		return fmt.Sprint(n)
	}
}

// build is the way of Glovebox. It imports the base in the round for the caches.
func (g *glove) build(root *peer.Root, s step, cached bool) way {
	serial := serials(cached)
	return way{name: buildName, what: "in a cell, packages locked with their hashes", against: dockerBuildName, once: timed(func(ctx context.Context) error {
		spec, _ := s(serial())
		spec.Base = root.Layout
		_, err := g.gb.Service().BuildImage(ctx, spec, func(api.Progress) {})
		return err
	})}
}

func (b *bench) dockerBuild(ctx context.Context, root *peer.Root, s step, cached bool) way {
	w := way{name: dockerBuildName, what: "the classic builder, --network host, in a container", against: dockerBuildName}
	d, err := b.site.docker()
	if err != nil {
		w.absent = err.Error()
		return w
	}
	image, err := d.Image(ctx, root)
	if err != nil {
		w.absent = err.Error()
		return w
	}
	serial := serials(cached)
	w.once = timed(func(ctx context.Context) error {
		_, dockerfile := s(serial())
		return b.buildByDocker(ctx, d, "FROM "+image+"\n"+dockerfile)
	})
	return w
}

func (b *bench) buildByDocker(ctx context.Context, d *peer.Docker, dockerfile string) error {
	dir, err := os.MkdirTemp(b.site.scratch, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	err = errors.Join(os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte(dockerfile), 0o644), writeCertificates(filepath.Join(dir, "certificates.pem")))
	if err != nil {
		return err
	}
	_, err = peer.Output(d.Command(ctx, "build", "--quiet", "--network", "host", dir))
	return err
}

// writeCertificates writes those that this host trusts, since there may be an
// inspecting proxy between it and the index.
func writeCertificates(path string) error {
	source := os.Getenv("SSL_CERT_FILE")
	if source == "" {
		source = "/etc/ssl/certs/ca-certificates.crt"
	}
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
