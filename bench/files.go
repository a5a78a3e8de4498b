package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/bench/report"
)

// files copies a small and a large file.
func (b *bench) files(ctx context.Context, g *report.Group) error {
	root, err := b.site.roots.Base(ctx)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		work   string
		size   int64
		rounds int
	}{
		{"1 MB", 1e6, b.rounds},
		{"100 MB", 100e6, b.some()},
	} {
		rows, err := b.copies(ctx, root, c.work+" in and out", c.size, c.rounds)
		if err != nil {
			return err
		}
		g.Rows = append(g.Rows, rows...)
	}
	return ctx.Err()
}

// copied is a file, where peers put the copy, and what that must hold.
type copied struct {
	dir, digest string
}

func (c *copied) in() string  { return filepath.Join(c.dir, "in") }
func (c *copied) out() string { return filepath.Join(c.dir, "out") }

func (b *bench) copies(ctx context.Context, root *peer.Root, work string, size int64, rounds int) ([]report.Row, error) {
	c, err := newCopied(b.site.scratch, size)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(c.dir)
	peers := []*peer.Peer{b.site.dockerPeer(), peer.Bwrap()}
	argv := []string{"/bin/cp", "/mnt/data/in", "/mnt/data/out"}
	ways := peerWays(ctx, peers, peer.Work{Root: root, Share: c.dir, Argv: argv}, "")
	for i := range ways {
		ways[i].settle = c.checkOut
	}
	ours, err := b.gloves(ctx, c.job(root.Layout))
	if err != nil {
		return nil, err
	}
	defer ours.close()
	ways = append(ways, ours.ways...)
	for i := range ways {
		ways[i].settle = both(ways[i].settle, c.renew)
	}
	return inTurns(ctx, work, rounds, ways), nil
}

func both(first, second func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error { return errors.Join(first(ctx), second(ctx)) }
}

// newCopied makes a file that nothing can compress.
func newCopied(scratch string, size int64) (*copied, error) {
	dir, err := os.MkdirTemp(scratch, "files-")
	if err != nil {
		return nil, err
	}
	c := &copied{dir: dir}
	f, err := os.Create(c.in())
	if err != nil {
		return nil, err
	}
	_, err = io.CopyN(f, rand.NewChaCha8([32]byte{}), size)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return c, c.renew(context.Background())
}

// renew makes the file one that no store has yet.
func (c *copied) renew(context.Context) error {
	f, err := os.OpenFile(c.in(), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(binary.LittleEndian.AppendUint64(nil, rand.Uint64()), 0)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	c.digest, err = digestOf(c.in())
	return err
}

func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), err
}

func (c *copied) job(image string) job {
	return job{
		sandbox: glovebox.Sandbox{
			Name: "copy", Command: []string{"/bin/cp", "/var/inputs/data", "/var/outputs/copy"},
			Inputs: []string{"data: File"}, Outputs: []string{"copy: File"},
			Image: glovebox.Image{Ref: image}, Cache: "disable",
		},
		inputs: glovebox.Values{"data": glovebox.File{Path: c.in()}},
		check: func(r *glovebox.Result) error {
			f, err := glovebox.Get[glovebox.File](r, "copy")
			return expect(f.SHA256, c.digest, err)
		},
	}
}

// checkOut checks what a peer has written, and removes it.
func (c *copied) checkOut(context.Context) error {
	digest, err := digestOf(c.out())
	if err := expect(digest, c.digest, err); err != nil {
		return err
	}
	return os.Remove(c.out())
}
