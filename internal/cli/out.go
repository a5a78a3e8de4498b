package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func outFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "out", "", "put the files of the outputs into `DIR`, by the names of the outputs")
}

// isFile says whether values of a type are one File, Dir or DataFrame.
func isFile(t value.Type) bool {
	return t.Kind == value.KindFile || t.Kind == value.KindDir || t.Kind == value.KindDataFrame
}

// checkOut finds what would be in the way of the outputs in dir.
func checkOut(dir string, params []value.Param) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usage("--out %s: there is a file of that name", dir).hint("name a directory; it is made if it is not there")
	}
	for _, p := range params {
		info, err := os.Lstat(filepath.Join(dir, p.Name))
		if err == nil && (info.IsDir() || p.Type.Kind == value.KindDir) {
			return usage("--out %s: %s is there already", dir, filepath.Join(dir, p.Name)).hint("remove it, or name another directory")
		}
	}
	return nil
}

// placeFiles puts the files of outputs into dir, a File OUTPUT to dir/OUTPUT and
// those in a collection to dir/OUTPUT/0/NAME and so on, and returns the outputs
// with these paths. A file that was there is replaced.
func placeFiles(ctx context.Context, service api.Service, dir string, outputs []api.Output) ([]api.Output, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	placed := make([]api.Output, len(outputs))
	for i, o := range outputs {
		if err := checkOut(dir, []value.Param{{Name: o.Name, Type: o.Type}}); err != nil && holdsFiles(o.Value) {
			return nil, err
		}
		count := 0
		o.Value, err = value.MapFiles(o.Value, func(file any) (any, error) {
			ref, _ := value.RefOf(file)
			path := filepath.Join(dir, o.Name)
			if !isFile(o.Type) {
				path = filepath.Join(path, strconv.Itoa(count), baseName(ref.Path))
				count++
			}
			if err := placeFile(ctx, service, file, path); err != nil {
				return nil, notPlaced(path, err)
			}
			ref.Path = path
			return ref.In(file), nil
		})
		if err != nil {
			return nil, err
		}
		placed[i] = o
	}
	return placed, nil
}

func holdsFiles(v any) bool {
	for range value.Files(v) {
		return true
	}
	return false
}

// baseName is the name of a file that a run gave, as far as it is one.
func baseName(path string) string {
	name := filepath.Base(path)
	if name == "." || name == ".." || name == string(filepath.Separator) {
		return "file"
	}
	return name
}

func notPlaced(path string, err error) error {
	return unwritable(path, err, "the run has succeeded; get its files with: glovebox outputs RUN --out DIR")
}

// unwritable says of a path that it cannot be written, if that is why.
func unwritable(path string, err error, hint string) error {
	var place *fs.PathError
	var link *os.LinkError
	if errors.As(err, &place) || errors.As(err, &link) {
		return usage("%s cannot be written: %s", path, err).hint("%s", hint)
	}
	return err
}

// placeFile copies what a run gave to path.
func placeFile(ctx context.Context, service api.Service, file any, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if tree, ok := file.(value.Dir); ok {
		return service.ExportTree(ctx, tree, path)
	}
	ref, _ := value.RefOf(file)
	from, _, err := service.OpenBlob(ctx, ref.SHA256)
	if err != nil {
		return err
	}
	defer from.Close()
	return writeWhole(path, from)
}

// writeWhole writes a file completely or not at all. A killed process leaves a
// hidden file, which cannot be mistaken for an output.
func writeWhole(path string, from io.Reader) (err error) {
	unfinished := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.part", filepath.Base(path), os.Getpid()))
	to, err := os.OpenFile(unfinished, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(unfinished)
		}
	}()
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	return os.Rename(unfinished, path)
}
