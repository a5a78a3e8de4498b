package e2b

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// newTemplate begins a build of a template. Its steps come later.
func (f *Face) newTemplate(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name     string   `json:"name"`
		Alias    string   `json:"alias"`
		Tags     []string `json:"tags"`
		CPUCount int      `json:"cpuCount"`
		MemoryMB int64    `json:"memoryMB"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Name == "" {
		in.Name = in.Alias
	}
	name, tag := splitTag(in.Name)
	if !templateName().MatchString(name) || in.CPUCount < 0 || in.MemoryMB < 0 || slices.ContainsFunc(append(in.Tags, tag), func(t string) bool { return !tagName().MatchString(t) }) {
		return badRequest("name, tags, cpuCount or memoryMB is none of a template")
	}
	if _, ok := builtin[name]; ok {
		return refused{http.StatusForbidden, "the template " + name + " is that of this server"}
	}
	if len(in.Tags) == 0 || strings.Contains(in.Name, ":") {
		in.Tags = append(in.Tags, tag)
	}
	b := &build{ID: newUUID(), Created: time.Now().UTC(), Status: buildWaiting, CPU: in.CPUCount, Memory: in.MemoryMB << 20}
	var id string
	err := f.templates.change(func() error {
		t := f.templates.named(name)
		if t == nil {
			t = &template{ID: newTemplateID(), Name: name, Tags: map[string]string{}, Builds: map[string]*build{}}
			f.templates.kept.Templates[t.ID] = t
		}
		t.Builds[b.ID], id = b, t.ID
		b.Tags = in.Tags
		return nil
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted, map[string]any{
		"templateID": id, "buildID": b.ID, "public": false, "names": []string{name}, "aliases": []string{name}, "tags": in.Tags,
	})
	return nil
}

// uploadPurpose is that of the token in the URL of an upload.
const uploadPurpose = "upload"

// uploadLink says where to put the files of a COPY, and whether they are there.
func (f *Face) uploadLink(w http.ResponseWriter, r *http.Request) error {
	id, hash := r.PathValue("id"), r.PathValue("hash")
	if !f.templates.look(id, func(*template, *build) {}) {
		return refused{http.StatusNotFound, "template '" + id + "' not found"}
	}
	if !hashName().MatchString(hash) {
		return badRequest("the hash of the files is none")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	link := url.URL{
		Scheme: scheme, Host: r.Host, Path: uploadPath + hash,
		RawQuery: url.Values{"signature": {f.token(uploadPurpose, hash)}}.Encode(),
	}
	writeJSON(w, http.StatusCreated, map[string]any{"present": f.hasFile(r.Context(), hash), "url": link.String()})
	return nil
}

// hasFile reports whether the files of a hash are there. Those of templates that
// were removed may have been pruned.
func (f *Face) hasFile(ctx context.Context, hash string) bool {
	digest, ok := f.templates.file(hash)
	if !ok {
		return false
	}
	blob, _, err := f.Blobs.OpenBlob(ctx, digest)
	if err != nil {
		return false
	}
	_ = blob.Close() // nothing was read
	return true
}

// uploadPath begins the paths of uploads, which show no key.
const uploadPath = "/templates/files/"

// serveUpload keeps the files of a COPY.
func (f *Face) serveUpload(w http.ResponseWriter, r *http.Request) {
	hash := strings.TrimPrefix(r.URL.Path, uploadPath)
	if r.Method != http.MethodPut || !hashName().MatchString(hash) || !equal(r.URL.Query().Get("signature"), f.token(uploadPurpose, hash)) {
		writeError(w, r, http.StatusUnauthorized, "invalid signature")
		return
	}
	digest, _, err := f.Blobs.PutBlob(r.Context(), http.MaxBytesReader(w, r.Body, maxUpload))
	if err == nil {
		err = f.templates.change(func() error {
			f.templates.kept.Files[hash] = digest
			return nil
		})
	}
	if err != nil {
		f.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// maxUpload bounds the files of one COPY, in bytes.
const maxUpload = 4 << 30

// startBuild builds what a template was begun for.
func (f *Face) startBuild(w http.ResponseWriter, r *http.Request) error {
	var in buildRequest
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if len(in.Registry) > 0 && string(in.Registry) != "null" {
		return badRequest("credentials of registries are stored secrets here: fromImageRegistry is not taken")
	}
	b, err := f.findBuild(r)
	if err != nil {
		return err
	}
	recipe, err := f.recipe(&in)
	if err != nil {
		return err
	}
	err = f.templates.change(func() error {
		if b.Status != buildWaiting {
			return refused{http.StatusConflict, "build " + b.ID + " was started already"}
		}
		b.Status, b.Recipe = buildBuilding, recipe
		return nil
	})
	if err != nil {
		return err
	}
	go f.build(context.WithoutCancel(r.Context()), r.PathValue("id"), b)
	w.WriteHeader(http.StatusAccepted)
	return nil
}

// recipe returns how to make what a client wants built.
func (f *Face) recipe(in *buildRequest) (recipe, error) {
	base, err := imageRecipe(in.FromImage)
	if in.FromTemplate != "" {
		base, err = f.recipeOf(in.FromTemplate)
	}
	if err != nil {
		return base, err
	}
	return base.with(in)
}

// recipeOf returns that of a template.
func (f *Face) recipeOf(name string) (out recipe, err error) {
	if name, _ := splitTag(name); name == "base" {
		return baseRecipe(), nil
	}
	err = refused{http.StatusNotFound, "template '" + name + "' not found, or not one that a Dockerfile can begin with"}
	f.templates.look(name, func(_ *template, b *build) {
		if b != nil && b.Status == buildReady {
			out, err = b.Recipe, nil
		}
	})
	return out, err
}

func (f *Face) findBuild(r *http.Request) (b *build, err error) {
	err = refused{http.StatusNotFound, "there is no such build"}
	f.templates.look(r.PathValue("id"), func(t *template, _ *build) {
		if b = t.Builds[r.PathValue("build")]; b != nil {
			err = nil
		}
	})
	return b, err
}

// build makes the image of a build, and gives it its tags.
func (f *Face) build(ctx context.Context, template string, b *build) {
	spec, err := f.imageOf(ctx, b.Recipe)
	if err == nil {
		_, err = f.Images.BuildImage(ctx, spec, func(p api.Progress) {
			if p.Message != "" {
				f.templates.log(b, "info", p.Message)
			}
		})
	}
	kept := f.templates.change(func() error {
		t := f.templates.named(template)
		if t == nil {
			return nil // it was removed meanwhile
		}
		if err != nil {
			_, message := statusOf(err)
			b.Status, b.Reason = buildError, &failReason{Message: message}
			return nil
		}
		b.Status, b.Recipe.Context = buildReady, spec.Context
		for _, tag := range b.Tags {
			t.Tags[tag] = b.ID
		}
		return nil
	})
	if kept != nil {
		f.Logger.Error("keeping a template", "template", template, "error", kept)
	}
}

// imageOf returns the image of a recipe, with the files that clients uploaded for
// it as one archive.
func (f *Face) imageOf(ctx context.Context, r recipe) (api.ImageSpec, error) {
	spec := api.ImageSpec{Dockerfile: r.Dockerfile, Context: r.Context}
	if len(r.Files) == 0 || r.Context != "" {
		return spec, nil
	}
	pr, pw := io.Pipe()
	go func() { pw.CloseWithError(f.joinFiles(ctx, r.Files, pw)) }()
	digest, _, err := f.Blobs.PutBlob(ctx, pr)
	_ = pr.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // so that the other side ends, too
	spec.Context = digest
	return spec, err
}

// joinFiles writes archives as one. Of files that several have, all come from the
// same directory of the client, and the first is taken.
func (f *Face) joinFiles(ctx context.Context, hashes []string, w io.Writer) error {
	out, seen := tar.NewWriter(w), map[string]bool{}
	for _, hash := range hashes {
		digest, ok := f.templates.file(hash)
		if !ok {
			return badRequest("the files " + hash + " were not uploaded")
		}
		if err := f.addFiles(ctx, digest, out, seen); err != nil {
			return err
		}
	}
	return out.Close()
}

func (f *Face) addFiles(ctx context.Context, digest string, out *tar.Writer, seen map[string]bool) error {
	blob, _, err := f.Blobs.OpenBlob(ctx, digest)
	if err != nil {
		return err
	}
	defer blob.Close()
	var content io.Reader = bufio.NewReader(blob)
	if magic, err := content.(*bufio.Reader).Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if content, err = gzip.NewReader(content); err != nil {
			return badRequest("the files cannot be read: " + err.Error())
		}
	}
	in := tar.NewReader(content)
	for {
		h, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return badRequest("the files cannot be read: " + err.Error())
		case seen[h.Name]:
			continue
		}
		seen[h.Name] = true
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
	}
}

// buildStatus answers with the state of a build, and what it said since.
func (f *Face) buildStatus(w http.ResponseWriter, r *http.Request) error {
	from, err := strconv.Atoi("0" + r.URL.Query().Get("logsOffset"))
	if err != nil {
		return badRequest("logsOffset is no number")
	}
	b, err := f.findBuild(r)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, f.templates.status(r.PathValue("id"), b, from))
	return nil
}

// startTemplate runs the command of a template in a new sandbox, and waits until it
// is up.
func (f *Face) startTemplate(ctx context.Context, id, template string) error {
	b, ok := f.built(template)
	if !ok || b.Recipe.Start == "" {
		return nil
	}
	r := b.Recipe
	for _, err := range f.Sessions.StartProcess(ctx, id, shell(r.Start)) {
		if err != nil {
			return err
		}
		break // it lives on
	}
	if r.Ready == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	for {
		for e, err := range f.Sessions.StartProcess(ctx, id, shell(r.Ready)) {
			if err != nil {
				return fmt.Errorf("waiting for the command of the template: %w", err)
			}
			if e.Exit != nil && e.Exit.Status == 0 {
				return nil
			}
		}
		select {
		case <-time.After(readyStep):
		case <-ctx.Done():
			return refused{http.StatusInternalServerError, "the command of the template is not ready in time"}
		}
	}
}

// How long the command of a template may take, and how often it is looked at.
const (
	readyPatience = 2 * time.Minute
	readyStep     = 200 * time.Millisecond
)

func shell(command string) api.ProcessSpec {
	return api.ProcessSpec{Argv: []string{"/bin/bash", "-l", "-c", command}}
}
