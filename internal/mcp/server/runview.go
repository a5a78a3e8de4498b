package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// runView is what a model sees of a run.
type runView struct {
	Run      string                     `json:"run" jsonschema:"the id of the run, for run_get and resources"`
	Status   api.Status                 `json:"status" enum:"queued,running,interrupted,succeeded,failed,canceled" jsonschema:"where the run stands"`
	Outputs  map[string]json.RawMessage `json:"outputs,omitempty" jsonschema:"the declared outputs by name, as JSON of their types"`
	Files    []fileView                 `json:"files,omitempty" jsonschema:"files among the outputs"`
	Stdout   string                     `json:"stdout,omitempty" jsonschema:"what it printed to standard output"`
	Stderr   string                     `json:"stderr,omitempty" jsonschema:"what it printed to standard error"`
	Log      string                     `json:"log,omitempty" jsonschema:"a page of what it printed, both streams as they came"`
	ExitCode *int                       `json:"exit_code,omitempty" jsonschema:"of the program; -1 if it ended without one"`
	Cached   bool                       `json:"cached,omitempty" jsonschema:"an identical earlier run answered it: the code was not executed again"`
	Calls    int                        `json:"calls,omitempty" jsonschema:"how many calls of tools it made"`
	Error    *failure                   `json:"error,omitempty" jsonschema:"why it failed"`
	Cut      []string                   `json:"cut,omitempty" jsonschema:"what was left out of this answer, and where the rest is"`

	words  string // for the model: the error with all that belongs to it
	images []mcp.Content
}

// fileView is a file among the outputs of a run.
type fileView struct {
	Output string `json:"output" jsonschema:"the name of the output"`
	Name   string `json:"name" jsonschema:"the name of the file"`
	Size   int64  `json:"size" jsonschema:"bytes"`
	SHA256 string `json:"sha256" jsonschema:"the digest of its bytes; as {\"path\": NAME, \"sha256\": DIGEST} it is an input of type File"`
	URI    string `json:"uri" jsonschema:"the resource with its bytes"`
}

func (v *runView) failed() bool { return v.Error != nil }

func (v *runView) content() []mcp.Content {
	var b strings.Builder
	if v.words != "" {
		fmt.Fprintf(&b, "%s\n\n", v.words)
	}
	fmt.Fprintf(&b, "run %s: %s", v.Run, v.Status)
	if v.ExitCode != nil && *v.ExitCode != 0 {
		fmt.Fprintf(&b, ", exit code %d", *v.ExitCode)
	}
	if v.Cached {
		b.WriteString(", answered by an identical earlier run")
	}
	b.WriteByte('\n')
	for _, part := range []struct{ title, text string }{{"stdout", v.Stdout}, {"stderr", v.Stderr}, {"log", v.Log}} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", part.title, strings.TrimRight(part.text, "\n"))
		}
	}
	if len(v.Outputs) > 0 {
		text, _ := plainJSON(v.Outputs) // it is JSON already
		fmt.Fprintf(&b, "\noutputs:\n%s\n", text)
	}
	for _, f := range v.Files {
		fmt.Fprintf(&b, "\nfile %s: %s, %d bytes, %s\n", f.Output, f.Name, f.Size, f.URI)
	}
	for _, c := range v.Cut {
		fmt.Fprintf(&b, "\nleft out: %s\n", c)
	}
	return slices.Concat([]mcp.Content{&mcp.TextContent{Text: b.String()}}, v.images, v.links())
}

// maxLinks bounds the links of an answer. The files are in its structure, too.
const maxLinks = 20

// links lead a client to the files, which it may show or read as resources. Files
// of one output share a resource.
func (v *runView) links() (links []mcp.Content) {
	seen := map[string]bool{}
	for _, f := range v.Files {
		if seen[f.URI] || len(links) == maxLinks {
			continue
		}
		seen[f.URI] = true
		links = append(links, &mcp.ResourceLink{URI: f.URI, Name: f.Name, Size: &f.Size})
	}
	return links
}

// leave says what was left out.
func (v *runView) leave(format string, args ...any) {
	v.Cut = append(v.Cut, fmt.Sprintf(format, args...))
}

// end adds what a run gave, and why it failed. Either may be missing.
func (v *runView) end(ctx context.Context, s *Server, r *api.Result, failed *api.Error) {
	v.Status = api.StatusSucceeded
	if failed != nil {
		v.Status = api.StatusFailed
		if failed.Code == api.Canceled {
			v.Status = api.StatusCanceled
		}
		v.Error, v.words = failureOf(failed), explain(failed)
	}
	if r == nil {
		return
	}
	v.ExitCode, v.Cached = &r.ExitCode, r.Cached
	v.Stdout = v.stream("stdout", r.Stdout)
	v.Stderr = v.stream("stderr", r.Stderr)
	if e := failed; e != nil && e.Details.Exception != nil && !strings.Contains(v.Stderr, e.Details.Exception.Type) {
		trace, _ := cut([]byte(e.Details.Exception.Traceback), maxError)
		v.words = strings.TrimSpace(v.words + "\n\n" + trace)
	}
	for _, o := range r.Outputs {
		v.output(ctx, s, o)
	}
}

func (v *runView) stream(name string, text []byte) string {
	kept, left := cut(text, maxText)
	if left > 0 {
		v.leave("%d bytes in the middle of %s; run_get with run and log_from pages through all of it", left, name)
	}
	return kept
}

func (v *runView) output(ctx context.Context, s *Server, o api.Output) {
	uri := outputURI(v.Run, o.Name)
	for ref := range value.Files(o.Value) {
		f := fileView{Output: o.Name, Name: path.Base(ref.Path), Size: ref.Size, SHA256: ref.SHA256, URI: uri}
		v.Files = append(v.Files, f)
		v.picture(ctx, s, f)
	}
	named, err := value.MapFiles(o.Value, withoutPlace)
	if err != nil {
		return // a file cannot turn into another type
	}
	text, err := value.EncodeJSON(o.Type, named)
	switch {
	case err != nil:
		v.leave("the output %s: %v", o.Name, err)
	case len(text) > maxValue:
		v.leave("the output %s, %d bytes of JSON; the resource %s has it", o.Name, len(text), uri)
	default:
		if v.Outputs == nil {
			v.Outputs = map[string]json.RawMessage{}
		}
		v.Outputs[o.Name] = text
	}
}

// withoutPlace leaves of a file what means something to a client.
func withoutPlace(file any) (any, error) {
	ref, _ := value.RefOf(file)
	ref.Path = path.Base(ref.Path)
	return ref.In(file), nil
}

// picture shows a file to the model, if it is an image that models read.
func (v *runView) picture(ctx context.Context, s *Server, f fileView) {
	if f.SHA256 == "" || f.Size > maxImage || len(v.Files) > maxImages {
		return
	}
	data, err := s.blob(ctx, f.SHA256, maxImage)
	if err != nil {
		return // the resource says why
	}
	if kind := http.DetectContentType(data); slices.Contains(imageTypes, kind) {
		v.images = append(v.images, &mcp.ImageContent{Data: data, MIMEType: kind})
	}
}

// maxImages is how many images one answer shows.
const maxImages = 8

// imageTypes are the images that models read.
var imageTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

func outputURI(run, name string) string {
	return "glovebox://runs/" + url.PathEscape(run) + "/outputs/" + url.PathEscape(name)
}

// viewOf begins the view of a run that is known by its record.
func viewOf(run *api.Run) *runView {
	return &runView{Run: run.ID, Status: cmp.Or(run.Status, api.StatusQueued), Calls: run.Calls}
}
