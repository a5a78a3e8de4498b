package servicetest

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// write makes a file of this host.
func (s *suite) write(path, text string) string {
	s.Helper()
	s.must(os.MkdirAll(filepath.Dir(path), 0o755))
	s.must(os.WriteFile(path, []byte(text), 0o644))
	return path
}

func (s *suite) read(path string) string {
	s.Helper()
	text, err := os.ReadFile(path)
	s.must(err)
	return string(text)
}

// upper registers a function that writes a file in capitals.
func (s *suite) upper(name string) (api.Task, *count) {
	var c count
	dir := s.TempDir()
	return s.function(name, "f: File", "File", func(in map[string]any) (any, error) {
		data, err := os.ReadFile(in["f"].(value.File).Path)
		if err != nil {
			return nil, err
		}
		c.add()
		path := filepath.Join(dir, "upper.txt")
		return value.File{Path: path}, os.WriteFile(path, bytes.ToUpper(data), 0o600)
	}), &c
}

// files: the code can read a file input, and the caller a file output, and
// neither side sees a path of the other.
func files(s *suite) {
	upper, _ := s.upper("upper")
	dir := s.TempDir()
	path := s.write(filepath.Join(dir, "in.txt"), "some text")
	id := s.submit(&upper, map[string]any{"f": value.File{Path: path}}).ID
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	out, ok := s.only(result).(value.File)
	if !ok || s.read(out.Path) != "SOME TEXT" || out.Size != 9 || len(out.SHA256) != 64 {
		s.Fatalf("got %+v", out)
	}
	run := s.get(id)
	if strings.Contains(string(run.Inputs), dir) || strings.Contains(string(run.Outputs), "/") {
		s.Errorf("the run tells paths: %s, %s", run.Inputs, run.Outputs)
	}
	in, err := api.DecodeFields("input", upper.Signature.Inputs, run.Inputs)
	s.must(err)
	if f := in["f"].(value.File); f.Path != "in.txt" || f.Size != 9 || len(f.SHA256) != 64 {
		s.Errorf("the input: %+v", f)
	}
	s.must(os.Remove(out.Path)) // it is the caller's
	again, err := s.service.Wait(s.Context(), id)
	s.must(err)
	if out := s.only(again).(value.File); s.read(out.Path) != "SOME TEXT" {
		s.Errorf("the second time: %+v", out)
	}
}

// filesAreContents: what counts is the content at the time of the submission,
// and a content that is stored already needs no file.
func filesAreContents(s *suite) {
	g := s.gate("gate")
	upper, _ := s.upper("upper")
	path := s.write(filepath.Join(s.TempDir(), "in.txt"), "before")
	id := s.submit(orchestrator("gate(1)\nupper(f)", "f: File", "File", g.task, upper), map[string]any{"f": value.File{Path: path}}).ID
	<-g.begun
	s.write(path, "after")
	g.open <- struct{}{}
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	if got := s.read(s.only(result).(value.File).Path); got != "BEFORE" {
		s.Errorf("got %q", got)
	}
	digest, _, err := s.service.PutBlob(s.Context(), strings.NewReader("by digest"))
	s.must(err)
	out := s.value(&upper, map[string]any{"f": value.File{Path: "any.txt", SHA256: digest}}).(value.File)
	if got := s.read(out.Path); got != "BY DIGEST" {
		s.Errorf("got %q", got)
	}
}

// filesBetweenTools: an orchestrator hands files on that it cannot read, in
// containers too.
func filesBetweenTools(s *suite) {
	upper, _ := s.upper("upper")
	path := s.write(filepath.Join(s.TempDir(), "in.txt"), "abc")
	flow := orchestrator("g = upper(f)\n[f, upper(g), g]", "f: File", "list[File]", upper)
	list := s.value(flow, map[string]any{"f": value.File{Path: path}}).([]any)
	var got []string
	for _, v := range list {
		got = append(got, s.read(v.(value.File).Path))
	}
	if strings.Join(got, " ") != "abc ABC ABC" {
		s.Errorf("got %q", got)
	}
}

// trees: a directory goes in and comes out with all that is in it.
func trees(s *suite) {
	dir := s.TempDir()
	s.write(filepath.Join(dir, "a", "b.txt"), "text")
	s.write(filepath.Join(dir, "tool"), "#!")
	s.must(os.Chmod(filepath.Join(dir, "tool"), 0o755))
	s.must(os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	add := s.function("add", "d: Dir", "Dir", func(in map[string]any) (any, error) {
		out := s.TempDir()
		if err := os.CopyFS(filepath.Join(out, "d"), os.DirFS(in["d"].(value.Dir).Path)); err != nil {
			return nil, err
		}
		return value.Dir{Path: filepath.Join(out, "d")}, os.WriteFile(filepath.Join(out, "d", "new"), []byte("new"), 0o600)
	})
	out, ok := s.value(orchestrator("add(d)", "d: Dir", "Dir", add), map[string]any{"d": value.Dir{Path: dir}}).(value.Dir)
	if !ok || out.Files != 3 || out.Size != 9 || len(out.SHA256) != 64 {
		s.Fatalf("got %+v", out)
	}
	s.checkTree(out.Path)
	stored, err := s.service.PutTree(s.Context(), out.Path)
	s.must(err)
	if stored.SHA256 != out.SHA256 || stored.Files != 3 {
		s.Errorf("stored again: %+v", stored)
	}
	again := filepath.Join(s.TempDir(), "again")
	s.must(s.service.ExportTree(s.Context(), stored, again))
	s.checkTree(again)
	if err := s.service.ExportTree(s.Context(), stored, again); err == nil {
		s.Error("a tree was written over another one")
	}
}

func (s *suite) checkTree(path string) {
	s.Helper()
	if s.read(filepath.Join(path, "a", "b.txt")) != "text" || s.read(filepath.Join(path, "new")) != "new" {
		s.Error("the contents are others")
	}
	info, err := os.Stat(filepath.Join(path, "tool"))
	s.must(err)
	if info.Mode()&0o111 == 0 {
		s.Error("the tool cannot be executed any more")
	}
	if info, err := os.Stat(filepath.Join(path, "empty")); err != nil || !info.IsDir() {
		s.Errorf("the empty directory: %v", err)
	}
}

// noFiles: what is no file of this host, nor known by its digest, is refused.
func noFiles(s *suite) {
	upper, _ := s.upper("upper")
	file := s.write(filepath.Join(s.TempDir(), "f"), "x")
	link := filepath.Join(s.TempDir(), "link")
	s.must(os.Symlink(file, link))
	for name, test := range map[string]struct {
		file value.File
		code api.Code
	}{
		"missing":      {value.File{Path: filepath.Join(s.TempDir(), "none")}, api.InvalidInput},
		"directory":    {value.File{Path: s.TempDir()}, api.InvalidInput},
		"link":         {value.File{Path: link}, api.InvalidInput},
		"relative":     {value.File{Path: "f"}, api.InvalidInput},
		"other digest": {value.File{Path: file, SHA256: strings.Repeat("1", 64)}, api.InvalidInput},
		"unknown":      {value.File{Path: "f", SHA256: strings.Repeat("1", 64)}, api.NotFound},
	} {
		_, err := s.service.Submit(s.Context(), api.Submission{Task: &upper, Inputs: map[string]any{"f": test.file}})
		if e := s.wantCode(err, test.code); e.Details.Field != "f" {
			s.Errorf("%s: field %q", name, e.Details.Field)
		}
	}
}

// blobs: bytes are found by their digest.
func blobs(s *suite) {
	const sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" // of hello
	for range 2 {
		digest, size, err := s.service.PutBlob(s.Context(), strings.NewReader("hello"))
		if err != nil || digest != sum || size != 5 {
			s.Fatalf("got %s, %d, %v", digest, size, err)
		}
	}
	r, size, err := s.service.OpenBlob(s.Context(), sum)
	s.must(err)
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil || string(data) != "hello" || size != 5 {
		s.Errorf("got %q, %d, %v", data, size, err)
	}
	digest, size, err := s.service.PutBlob(s.Context(), strings.NewReader(""))
	if err != nil || size != 0 || len(digest) != 64 {
		s.Errorf("nothing: %s, %d, %v", digest, size, err)
	}
}
