package image

import (
	"archive/tar"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// Limits of a step.
const (
	stepTime    = 30 * time.Minute
	stepLogTail = 64 << 10 // bytes of its words that are kept
)

func stepResources() api.Resources {
	return api.Resources{CPU: 2, Memory: 4 << 30, Disk: 20 << 30, PIDs: 4096, OpenFiles: 65536}
}

// toolDir is where a build cell finds what the host gives it. It is on a tmpfs
// and never part of a layer.
const toolDir = "/run/glovebox"

// workDir is a directory on the cell's disk that never becomes part of a layer.
const workDir = "/work"

// stepCell is the cell of one step.
type stepCell struct {
	Cell
	*reach
	env []string // of programs in it
}

// startCell brings up a cell that can reach what a step of a kind may.
func (b *build) startCell(ctx context.Context, rootfs, kind string) (*stepCell, error) {
	c := &stepCell{reach: b.reach(kind), env: b.cellEnv()}
	serve, err := c.serve()
	if err != nil {
		return nil, err
	}
	return c, c.start(ctx, cell.Spec{RootFS: rootfs, Serve: serve, Bare: true})
}

// start brings up the cell, with what every step has.
func (c *stepCell) start(ctx context.Context, spec cell.Spec) (err error) {
	spec.ID, spec.Resources, spec.Wall = "build-"+randomHex(), stepResources(), stepTime
	if c.Cell, err = c.b.s.config.Start(ctx, spec); err != nil {
		return err
	}
	if err := c.giveCertificates(ctx); err != nil {
		c.close()
		return err
	}
	return nil
}

func (c *stepCell) close() {
	// The layer is taken; how the cell ended does not matter any more.
	_, _ = c.Close()
}

// cellEnv is the environment of programs in a step: that of the image, the
// proxy, the certificates and the indexes.
func (b *build) cellEnv() []string {
	env := slices.DeleteFunc(slices.Clone(b.env), func(e string) bool { return strings.HasPrefix(e, "PATH=") })
	env = append(env, "PATH="+pathOf(b.env), "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
		"TMPDIR=/tmp", "PYTHONDONTWRITEBYTECODE=1", fmt.Sprintf("SOURCE_DATE_EPOCH=%d", b.epoch))
	env = append(env, cell.ProxyEnv()...)
	if _, ok := b.s.certificates(); ok {
		env = append(env, cell.CertificatesEnv()...)
	}
	return append(env, b.indexes.env()...)
}

// certificates finds the bundle that programs of the host use.
func (s *Service) certificates() (path string, ok bool) {
	return cell.SystemCertificates(s.getenv)
}

func (c *stepCell) giveCertificates(ctx context.Context) error {
	bundle, ok := c.b.s.certificates()
	if !ok {
		return nil
	}
	data, err := os.ReadFile(bundle)
	if err != nil {
		return storageError("read the certificates of the host", err)
	}
	return c.putFile(ctx, path.Base(cell.CertificatesFile), 0o644, data)
}

// putFile writes one file below toolDir.
func (c *stepCell) putFile(ctx context.Context, name string, mode int64, data []byte) error {
	return c.Put(ctx, toolDir, func(w *tar.Writer) error {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(data))}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	})
}

// result is what one program of a step gave.
type result struct {
	cell.Exit
	stdout []byte
	log    string // the end of stderr and stdout together
}

// exec runs a program as root of the cell. Its lines are shown as progress.
func (c *stepCell) exec(ctx context.Context, env []string, argv ...string) (result, error) {
	log := newStepLog(stepLogTail, func(line string) { c.b.progress(api.Progress{Stage: "build", Message: line}) })
	return c.run(ctx, log, log, env, argv)
}

// capture runs a program and keeps its standard output apart, up to
// maxCaptured bytes.
func (c *stepCell) capture(ctx context.Context, env []string, argv ...string) (result, error) {
	log := newStepLog(stepLogTail, func(line string) { c.b.progress(api.Progress{Stage: "build", Message: line}) })
	out := &boundedBuffer{}
	r, err := c.run(ctx, out, log, env, argv)
	r.stdout = out.data
	if err == nil && out.full {
		err = api.Errorf(api.BuildFailed, "%s printed more than %d bytes", argv[0], maxCaptured)
	}
	return r, err
}

func (c *stepCell) run(ctx context.Context, stdout io.Writer, log *stepLog, env, argv []string) (result, error) {
	return c.command(ctx, log, cell.Command{Argv: argv, Env: append(slices.Clone(c.env), env...), Dir: "/", Root: true, Stdout: stdout, Stderr: log})
}

func (c *stepCell) command(ctx context.Context, log *stepLog, cmd cell.Command) (result, error) {
	exit, err := c.Exec(ctx, cmd)
	r := result{Exit: exit, log: log.String()}
	if err == nil || ctx.Err() != nil {
		return r, err
	}
	return r, stepDied(err, cmd.Argv, r.log)
}

// stepDied gives the end of a cell in the middle of a step its code.
func stepDied(err error, argv []string, log string) error {
	e := api.AsError(err)
	if !slices.Contains([]api.Code{api.Timeout, api.OutOfMemory, api.CommandNotFound}, e.Code) {
		return err
	}
	return api.Errorf(api.BuildFailed, "%s: %w", argv[0], err).WithDetails(api.Details{Log: log, Limit: e.Details.Limit, Peak: e.Details.Peak}).
		WithHint("a build step has 30 minutes, 4 GiB of memory and 20 GiB of disk")
}

// takeLayer stores what the step changed.
func (b *build) takeLayer(ctx context.Context, c *stepCell, options oci.LayerOptions) (oci.Layer, error) {
	r, w := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		err := c.Layer(ctx, w)
		sent <- errors.Join(err, w.CloseWithError(err))
	}()
	layer, err := b.s.store.blobs.AddLayer(ctx, r, options)
	r.CloseWithError(io.ErrClosedPipe)
	if cellErr := <-sent; err == nil && cellErr != nil {
		return oci.Layer{}, cellErr
	}
	return layer, err
}

func (s *Service) layerOptions(epoch int64) oci.LayerOptions {
	return oci.LayerOptions{Exclude: append(oci.CellPaths(), "var/cache/ldconfig", "var/log/apt"), ModTime: time.Unix(epoch, 0).UTC()}
}

func randomHex() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // crypto/rand.Read never fails
	return hex.EncodeToString(b[:])
}

// maxCaptured bounds the output of a program that is kept whole.
const maxCaptured = 16 << 20

type boundedBuffer struct {
	data []byte
	full bool
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	n := min(len(p), maxCaptured-len(b.data))
	b.data = append(b.data, p[:n]...)
	b.full = b.full || n < len(p)
	return len(p), nil
}
