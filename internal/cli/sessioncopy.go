package cli

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

const copyHelp = `Copy files into a session and out of it.

  glovebox session cp FILE|DIR|- SESSION:PATH
  glovebox session cp SESSION:PATH FILE|DIR|-

A PATH that is not absolute starts at the directory of the session. Into a directory that
is there, or a PATH or DIR that ends with /, files go by their own names. - is
standard input or output, for one file. A directory is copied with all that is in
it; of links that lead out of it a message tells, and they are left out.`

func (c *cli) sessionCopy() *cobra.Command {
	var user string
	cmd := &cobra.Command{
		Use: "cp FROM TO", Short: "Copy files into a session and out of it", Long: copyHelp, Args: cobra.ExactArgs(2),
		Example: "  glovebox session cp data.csv latest:/work/\n  glovebox session cp latest:results out\n  glovebox session cp latest:log.txt -",
		RunE: func(cmd *cobra.Command, args []string) error {
			from, fromPath, out := cutSession(args[0])
			to, toPath, in := cutSession(args[1])
			if in == out {
				return usage("one of %s and %s has to be in a session, and one here", args[0], args[1]).hint("write: glovebox session cp FILE SESSION:PATH, or the other way round")
			}
			name := from
			if in {
				name = to
			}
			o := api.FileOptions{User: user}
			return c.withSession(cmd.Context(), name, func(s api.Sessions, id string) error {
				copying := copying{cli: c, service: s, id: id, options: o}
				if in {
					return copying.in(cmd.Context(), args[0], toPath)
				}
				return copying.out(cmd.Context(), fromPath, args[1])
			})
		},
	}
	cmd.Flags().StringVar(&user, "user", "", "whose rights count in the session: a `NAME`, a number, or root")
	return cmd
}

// cutSession splits SESSION:PATH. What has a separator before the colon is a path
// of this host, and so is what has one letter there on Windows.
func cutSession(arg string) (session, path string, ok bool) {
	session, path, ok = strings.Cut(arg, ":")
	if !ok || len(session) < 2 || strings.ContainsAny(session, `/\.`) {
		return "", arg, false
	}
	if path == "" {
		path = "."
	}
	return session, path, true
}

// copying is one copy between a session and this host.
type copying struct {
	cli     *cli
	service api.Sessions
	id      string
	options api.FileOptions
}

// in copies a file or a directory of this host into the session.
func (p copying) in(ctx context.Context, from, to string) error {
	if from == "-" {
		in, err := p.cli.stdin("the file")
		if err != nil {
			return err
		}
		_, err = p.service.WriteFile(ctx, p.id, to, in, api.WriteOptions{FileOptions: p.options})
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return usage("%s", err)
	}
	if to, err = p.below(ctx, to, filepath.Base(from)); err != nil {
		return err
	}
	if info.IsDir() {
		return p.treeIn(ctx, from, to)
	}
	f, err := os.Open(from)
	if err != nil {
		return usage("%s", err)
	}
	defer f.Close()
	_, err = p.service.WriteFile(ctx, p.id, to, f, api.WriteOptions{FileOptions: p.options, Mode: uint32(info.Mode().Perm())})
	return err
}

// below returns the place of a file of that name: in a directory that is there, or
// the path itself.
func (p copying) below(ctx context.Context, to, name string) (string, error) {
	if strings.HasSuffix(to, "/") {
		return path.Join(to, name), nil
	}
	info, err := p.service.StatFile(ctx, p.id, to, p.options)
	switch {
	case errors.Is(err, api.NotFound):
		return to, nil
	case err != nil:
		return "", err
	case info.Type == api.TypeDir:
		return path.Join(to, name), nil
	}
	return to, nil
}

func (p copying) treeIn(ctx context.Context, from, to string) error {
	root, err := os.OpenRoot(from)
	if err != nil {
		return usage("%s", err)
	}
	defer root.Close()
	r, w := io.Pipe()
	go func() {
		archive := tar.NewWriter(w)
		_ = w.CloseWithError(errors.Join(archive.AddFS(root.FS()), archive.Close())) // it returns nil
	}()
	defer r.Close()
	return p.service.UploadTree(ctx, p.id, to, r, p.options)
}

// out copies a file or a directory of the session to this host.
func (p copying) out(ctx context.Context, from, to string) error {
	info, err := p.service.StatFile(ctx, p.id, from, p.options)
	if err != nil {
		return err
	}
	if info.Type == api.TypeDir {
		return p.treeOut(ctx, info.Path, to)
	}
	content, _, err := p.service.ReadFile(ctx, p.id, from, 0, 0, p.options)
	if err != nil {
		return err
	}
	defer content.Close()
	if to == "-" {
		_, err = io.Copy(p.cli.Out, content)
		return err
	}
	return localError(writeWhole(here(to, info.Path), content))
}

// here is the place of a file of the session on this host.
func here(to, from string) string {
	if info, err := os.Stat(to); err == nil && info.IsDir() || strings.HasSuffix(to, "/") {
		return filepath.Join(to, baseName(from))
	}
	return to
}

// localError says that something of this host is wrong.
func localError(err error) error {
	var known *api.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return usage("%s", err)
}

func (p copying) treeOut(ctx context.Context, from, to string) error {
	if to == "-" {
		return usage("%s is a directory, and standard output takes one file", from).hint("name a directory")
	}
	archive, err := p.service.DownloadTree(ctx, p.id, from, p.options)
	if err != nil {
		return err
	}
	defer archive.Close()
	dir := here(to, from)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return localError(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return localError(err)
	}
	defer root.Close()
	skipped, err := unpack(root, archive)
	for _, name := range skipped {
		printError(p.cli.Err, "left out "+name+", which is no file, no directory and no link within "+from, "", "")
	}
	return localError(err)
}
