package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// inputFlags are how a command is given inputs.
type inputFlags struct {
	values []string // of -i
	file   string   // of --inputs
}

func (f *inputFlags) register(cmd *cobra.Command, form string) {
	cmd.Flags().StringArrayVarP(&f.values, "input", "i", nil, form+"; a VALUE of @FILE is read from a file, of - from standard input, and @@ stands for an @; repeatable; see glovebox help types")
	cmd.Flags().StringVar(&f.file, "inputs", "", "inputs from `FILE.json`, an object by name, or from standard input if it is -")
}

// The bounds of what is read for an input: of a value, and of a stream that
// becomes a file.
const (
	maxInputValue = 64 << 20
	maxSpooled    = 16 << 30
)

// inputs reads values from where flags say that they are. remove has to be
// called when they are not needed any more.
type inputs struct {
	ctx   context.Context
	cli   *cli
	spool string // directory of files that were made of streams
}

func (c *cli) readInputs(ctx context.Context) *inputs { return &inputs{ctx: ctx, cli: c} }

func (r *inputs) remove() {
	if r.spool != "" {
		_ = os.RemoveAll(r.spool) // a temporary directory
	}
}

// stdin returns standard input, which can be read for one purpose only.
func (c *cli) stdin(purpose string) (io.Reader, error) {
	if c.reading != "" {
		return nil, usage("standard input is asked for twice: as %s and as %s", c.reading, purpose).hint("give one of them as a file")
	}
	c.reading = purpose
	return c.In, nil
}

// value reads the text behind the = of -i.
func (r *inputs) value(p value.Param, text string) (f value.Fields, err error) {
	switch p.Type.Kind {
	case value.KindFile, value.KindDataFrame:
		return r.path(p, text)
	case value.KindDir:
		if text == "-" {
			return f, usage("-i %s: a Dir cannot be read from standard input", p.Name).hint("give the path of a directory")
		}
		return pathValue(p, text)
	}
	read, err := r.text(p.Name, text)
	if err != nil {
		return f, err
	}
	if f, err = value.DecodeInput(p, read); err != nil {
		return f, err
	}
	return f.MapFiles(absolutePath)
}

// text returns what an @FILE or a - stands for.
func (r *inputs) text(name, text string) ([]byte, error) {
	switch {
	case text == "-":
		from, err := r.cli.stdin("-i " + name)
		if err != nil {
			return nil, err
		}
		return r.readAll("-i "+name+": standard input", from)
	case strings.HasPrefix(text, "@@"):
		return []byte(text[1:]), nil
	case strings.HasPrefix(text, "@"):
		from, err := r.open("-i "+name, text[1:])
		if err != nil {
			return nil, err
		}
		defer from.Close()
		return r.readAll("-i "+name+": "+text[1:], from)
	}
	return []byte(text), nil
}

// open opens a file, or the end of a pipe when there is a writer.
func (r *inputs) open(flag, path string) (*os.File, error) {
	f, err := unlessInterrupted(r.ctx, func() (*os.File, error) { return os.Open(path) })
	var wrong *fs.PathError
	if errors.As(err, &wrong) {
		return nil, usage("%s: %s", flag, wrong).hint("check the path; a value that begins with @ is written with @@")
	}
	return f, err
}

func (r *inputs) readAll(what string, from io.Reader) ([]byte, error) {
	text, err := unlessInterrupted(r.ctx, func() ([]byte, error) { return readSized(from) })
	switch {
	case r.ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, usage("%s cannot be read: %s", what, err)
	case len(text) > maxInputValue:
		return nil, usage("%s is larger than 64 MiB", what).hint("give it as a File: -i NAME:File=PATH")
	}
	return text, nil
}

// readSized reads up to a byte more than a value may have. The text of a file is
// in memory once: the size of the file is known.
func readSized(from io.Reader) ([]byte, error) {
	var text bytes.Buffer
	if f, ok := from.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			text.Grow(int(min(info.Size(), maxInputValue+1)) + bytes.MinRead)
		}
	}
	_, err := text.ReadFrom(io.LimitReader(from, maxInputValue+1))
	return text.Bytes(), err
}

// path returns the File or DataFrame at a path. Standard input and the end of a
// pipe are copied first: a run reads its inputs more than once.
func (r *inputs) path(p value.Param, path string) (f value.Fields, err error) {
	var from io.Reader
	switch info, failure := os.Stat(path); {
	case path == "-" || path == "/dev/stdin":
		from, err = r.cli.stdin("-i " + p.Name)
	case failure == nil && info.Mode()&fs.ModeNamedPipe != 0:
		var pipe *os.File
		if pipe, err = r.open("-i "+p.Name, path); err == nil {
			defer pipe.Close()
		}
		from = pipe
	default:
		return pathValue(p, path)
	}
	if err != nil {
		return f, err
	}
	spooled, err := r.spooled(p.Name, from)
	if err != nil {
		return f, err
	}
	return pathValue(p, spooled)
}

// spooled copies a stream to a file that is called as the input is.
func (r *inputs) spooled(name string, from io.Reader) (path string, err error) {
	if r.spool == "" {
		if r.spool, err = os.MkdirTemp("", "glovebox-inputs-"); err != nil {
			return "", err
		}
	}
	to, err := os.OpenFile(filepath.Join(r.spool, filepath.Base(name)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	size, err := unlessInterrupted(r.ctx, func() (int64, error) { return io.Copy(to, io.LimitReader(from, maxSpooled+1)) })
	if err = errors.Join(err, to.Close()); err != nil {
		return "", err
	}
	if size > maxSpooled {
		return "", usage("input %s: the stream is larger than 16 GiB", name).hint("give it as a file")
	}
	return to.Name(), nil
}

// unlessInterrupted returns what f does, or an error if ctx ends before: what is
// read may never come.
func unlessInterrupted[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		v, err := f()
		done <- outcome{v, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, api.Errorf(api.Canceled, "interrupted while reading: %w", context.Cause(ctx))
	}
}

// fromFile reads --inputs. Values of which nothing says the type have that of
// their JSON.
func (r *inputs) fromFile(path string, declared []value.Param) (given value.Fields, err error) {
	if path == "" {
		return given, nil
	}
	var from io.Reader
	if path == "-" {
		from, err = r.cli.stdin("--inputs")
	} else {
		var f *os.File
		if f, err = r.open("--inputs", path); err == nil {
			defer f.Close()
		}
		from = f
	}
	if err != nil {
		return given, err
	}
	text, err := r.readAll("--inputs "+path, from)
	if err != nil {
		return given, err
	}
	var found members
	if err := json.Unmarshal(text, &found); err != nil {
		return given, usage("--inputs %s is no JSON object: %s", path, err).hint(`write: {"NAME": VALUE, ...}`)
	}
	if given, err = value.Decode("input", found.params(declared), text); err != nil {
		return given, api.AsError(err)
	}
	return given.MapFiles(absolutePath)
}

// members are what a JSON object has, by name: the types that their texts have.
type members map[string]jsonType

// params are those of the declared parameters that there are, and then the
// others.
func (m members) params(declared []value.Param) []value.Param {
	var params []value.Param
	known := map[string]bool{}
	for _, p := range declared {
		known[p.Name] = true
		if _, ok := m[p.Name]; ok {
			params = append(params, p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !known[name] {
			params = append(params, value.Param{Name: name, Type: m[name].Type})
		}
	}
	return params
}

// jsonType is the type that a value seems to have, of which only the JSON is
// known.
type jsonType struct{ value.Type }

// UnmarshalJSON implements json.Unmarshaler, without a copy of the text.
func (t *jsonType) UnmarshalJSON(text []byte) error {
	t.Type = typeOfJSON(text)
	return nil
}

// typeOfJSON guesses the type of a value from its JSON.
func typeOfJSON(text []byte) value.Type {
	kind := value.KindAny
	switch first := text[0]; {
	case first == '"':
		kind = value.KindStr
	case first == 't' || first == 'f':
		kind = value.KindBool
	case first == '-' || first >= '0' && first <= '9':
		kind = value.KindInt
		if strings.ContainsAny(string(text), ".eE") {
			kind = value.KindFloat
		}
	}
	return value.Type{Kind: kind}
}
