package e2b

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeImages builds everything but what says FROM nothing, and keeps blobs.
type fakeImages struct {
	otherImages
	otherBlobs
	built  []api.ImageSpec
	blobs  map[string]string
	stored map[string]api.ImageInfo // by name, or by the beginning of an id
}

type (
	otherImages = api.Images
	otherBlobs  = api.Blobs
)

func (f *fakeImages) BuildImage(_ context.Context, spec api.ImageSpec, progress func(api.Progress)) (*api.ImageInfo, error) {
	progress(api.Progress{Message: "building"})
	if strings.HasPrefix(spec.Dockerfile, "FROM nothing") {
		return nil, api.Errorf(api.BuildFailed, "it does not build")
	}
	f.built = append(f.built, spec)
	return &api.ImageInfo{}, nil
}

func (f *fakeImages) Image(_ context.Context, name string) (*api.ImageInfo, error) {
	info, ok := f.stored[name]
	if !ok {
		return nil, api.Errorf(api.ImageNotFound, "there is no image %s", name)
	}
	return &info, nil
}

func (f *fakeImages) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return "", 0, err
	}
	sum := sha256.Sum256(text)
	digest := hex.EncodeToString(sum[:])
	if f.blobs == nil {
		f.blobs = map[string]string{}
	}
	f.blobs[digest] = string(text)
	return digest, int64(len(text)), nil
}

func (f *fakeImages) OpenBlob(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	text, ok := f.blobs[digest]
	if !ok {
		return nil, 0, api.Errorf(api.NotFound, "there is no blob %s", digest)
	}
	return io.NopCloser(strings.NewReader(text)), int64(len(text)), nil
}

// built builds a template, and returns the end of it.
func (c *client) built(name, steps string) buildInfo {
	c.t.Helper()
	_, text := c.ask("POST", "/v3/templates", `{"name":"`+name+`","cpuCount":2,"memoryMB":512}`)
	begun := decoded[buildInfo](c.t, text)
	at := "/templates/" + begun.TemplateID + "/builds/" + begun.BuildID
	if answer, text := c.ask("POST", "/v2"+at, steps); answer.StatusCode != 202 {
		return buildInfo{Status: text}
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		_, text = c.ask("GET", at+"/status", "")
		if info := decoded[buildInfo](c.t, text); info.Status != buildBuilding {
			return info
		}
	}
	c.t.Fatal("the build does not end")
	return buildInfo{}
}

func packed(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(name)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, name)
	}
	_, _ = w.Close(), z.Close()
	return b.String()
}

func TestBuild(t *testing.T) {
	c := newClient(t)
	_, text := c.ask("POST", "/v3/templates", `{"name":"mine"}`)
	id := decoded[buildInfo](t, text).TemplateID
	for hash, file := range map[string]string{"aaaaaaaaaaaaaaaa": "app.py", "bbbbbbbbbbbbbbbb": "lib/x"} {
		_, text := c.ask("GET", "/templates/"+id+"/files/"+hash, "")
		link := decoded[map[string]any](t, text)
		target := strings.TrimPrefix(link["url"].(string), c.server.URL)
		if link["present"] != false {
			t.Errorf("before the upload: %v", link)
		}
		if answer, text := c.ask("PUT", target+"x", packed(t, file), "X-Api-Key", ""); answer.StatusCode != 401 {
			t.Errorf("with a forged URL: %d %s", answer.StatusCode, text)
		}
		if answer, text := c.ask("PUT", target, packed(t, file, "both"), "X-Api-Key", ""); answer.StatusCode != 200 {
			t.Errorf("upload: %d %s", answer.StatusCode, text)
		}
	}
	info := c.built("mine:v1", `{"fromImage":"debian:bookworm","startCmd":"hello","steps":[
		{"type":"ENV","args":["A","a \"b\""]},{"type":"WORKDIR","args":["app"]},
		{"type":"COPY","args":["app.py","."],"filesHash":"aaaaaaaaaaaaaaaa"},{"type":"COPY","args":["lib","/lib","root","0755"],"filesHash":"bbbbbbbbbbbbbbbb"},
		{"type":"RUN","args":["echo 1\necho $A","root"]},{"type":"USER","args":["root"]}]}`)
	if info.Status != buildReady || len(info.LogEntries) != 1 {
		t.Fatalf("the build: %+v", info)
	}
	_, steps, _ := strings.Cut(c.images.built[0].Dockerfile, "USER user\nWORKDIR /home/user\n")
	want := `ENV A="a \"b\""
WORKDIR /home/user/app
COPY --chown=user ["app.py","."]
COPY --chown=root --chmod=0755 ["lib","/lib"]
USER root
` + runLine("echo 1\necho $A") + `USER user
USER root
`
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Error(diff)
	}
	var names []string
	for in := tar.NewReader(strings.NewReader(c.images.blobs[c.images.built[0].Context])); ; {
		h, err := in.Next()
		if err != nil {
			break
		}
		names = append(names, h.Name)
	}
	if diff := cmp.Diff([]string{"app.py", "both", "lib/x"}, names); diff != "" {
		t.Errorf("the context: %s", diff)
	}
	_, _ = c.made(`{"templateID":"mine:v1"}`)
	spec := c.sessions.made[0].Spec
	if spec.User != "root" || spec.Dir != "/home/user/app" || spec.Resources.CPU != 2 || spec.Resources.Memory != 512<<20 || spec.Image.Dockerfile == "" {
		t.Errorf("a sandbox of it is %+v", spec)
	}
	if got := c.sessions.commands[0].Argv; got[len(got)-1] != "hello" {
		t.Errorf("it starts %q", got)
	}
}

func TestBuildRefuses(t *testing.T) {
	c := newClient(t)
	for name, body := range map[string]string{
		"no image":             `{"steps":[]}`,
		"lines in an image":    `{"fromImage":"a\nRUN b"}`,
		"a path of the host":   `{"fromImage":"/etc/image"}`,
		"lines in a variable":  `{"fromImage":"a","steps":[{"type":"ENV","args":["A","x\nRUN y"]}]}`,
		"lines in a user":      `{"fromImage":"a","steps":[{"type":"USER","args":["x\nRUN y"]}]}`,
		"lines in a directory": `{"fromImage":"a","steps":[{"type":"WORKDIR","args":["x\nRUN y"]}]}`,
		"options of COPY":      `{"fromImage":"a","steps":[{"type":"COPY","args":["a","b","x --from=y"],"filesHash":"aaaaaaaaaaaaaaaa"}]}`,
		"an unknown template":  `{"fromTemplate":"none"}`,
		"an unknown step":      `{"fromImage":"a","steps":[{"type":"ONBUILD","args":["x"]}]}`,
	} {
		if info := c.built("t", body); !strings.Contains(info.Status, `"code":4`) {
			t.Errorf("%s: %+v", name, info)
		}
	}
	if info := c.built("t", `{"fromImage":"nothing"}`); info.Status != buildError || info.Reason.Message != "it does not build" {
		t.Errorf("a build that fails: %+v", info)
	}
	if answer, text := c.ask("POST", "/v2/sandboxes", `{"templateID":"t"}`); answer.StatusCode != 404 {
		t.Errorf("a sandbox of it: %d %s", answer.StatusCode, text)
	}
}

func TestTags(t *testing.T) {
	c := newClient(t)
	c.built("team/mine", `{"fromImage":"debian:bookworm"}`)
	status := func(method, target, body string, want int) string {
		t.Helper()
		answer, text := c.ask(method, target, body)
		if answer.StatusCode != want {
			t.Errorf("%s %s: %d %s, want %d", method, target, answer.StatusCode, text, want)
		}
		return text
	}
	status("GET", "/templates/aliases/team%2Fmine", "", 200)
	status("GET", "/templates/aliases/base", "", 200)
	status("GET", "/templates/aliases/none", "", 404)
	status("POST", "/templates/tags", `{"target":"team/mine:default","tags":["v1"]}`, 201)
	status("POST", "/templates/tags", `{"target":"team/mine:none","tags":["v1"]}`, 404)
	if got := decoded[[]tagInfo](t, status("GET", "/templates/team%2Fmine/tags", "", 200)); len(got) != 2 || got[0].BuildID != got[1].BuildID {
		t.Errorf("tags: %+v", got)
	}
	status("DELETE", "/templates/tags", `{"name":"team/mine","tags":["default"]}`, 204)
	status("POST", "/v2/sandboxes", `{"templateID":"team/mine"}`, 404)
	status("POST", "/v2/sandboxes", `{"templateID":"team/mine:v1"}`, 201)
	if got := decoded[[]map[string]any](t, status("GET", "/templates", "", 200)); len(got) != 1 {
		t.Errorf("the list: %v", got)
	}
	status("DELETE", "/templates/team%2Fmine", "", 204)
	status("DELETE", "/templates/team%2Fmine", "", 404)
	status("POST", "/v3/templates", `{"name":"base"}`, 403)
}

// Blobs are needed of builds that may still be asked for, and of no others.
func TestTemplatesNeedTheirFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "here.json")
	needed := func() []string {
		found := []string{}
		err := Templates(dir).References(t.Context(), func(digest string) error {
			found = append(found, digest)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(found)
		return found
	}
	if diff := cmp.Diff([]string{}, needed()); diff != "" {
		t.Errorf("without templates:\n%s", diff)
	}
	store, err := openTemplates(path)
	if err != nil {
		t.Fatal(err)
	}
	err = store.change(func() error {
		store.kept.Files = map[string]string{"h1": "upload 1", "h2": "upload 2", "h3": "upload 3", "h4": "upload of nobody"}
		store.kept.Templates["id"] = &template{ID: "id", Name: "n", Tags: map[string]string{"default": "tagged"}, Builds: map[string]*build{
			"tagged":   {ID: "tagged", Status: buildReady, Recipe: recipe{Files: []string{"h1"}, Context: "context"}},
			"untagged": {ID: "untagged", Status: buildReady, Recipe: recipe{Files: []string{"h3"}, Context: "old context"}},
			"building": {ID: "building", Status: buildBuilding, Recipe: recipe{Files: []string{"h2", "never uploaded"}}},
			"failed":   {ID: "failed", Status: buildError, Recipe: recipe{Files: []string{"h3"}}},
		}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"context", "upload 1", "upload 2"}, needed()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	elsewhere := `{"templates": {"id": {"tags": {"default": "b"}, "builds": {"b": {"id": "b", "recipe": {"context": "of another node"}}}}}}`
	if err := os.WriteFile(filepath.Join(dir, "elsewhere.json"), []byte(elsewhere), 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"context", "of another node", "upload 1", "upload 2"}, needed()); diff != "" {
		t.Errorf("with those of another node (-want +got):\n%s", diff)
	}
	stop := errors.New("enough")
	if err := Templates(dir).References(t.Context(), func(string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of the caller", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Templates(dir).References(t.Context(), func(string) error { return nil }); err == nil {
		t.Error("a damaged file needs nothing")
	}
}

// TestUploadThatWasPruned: the client sends the files again.
func TestUploadThatWasPruned(t *testing.T) {
	c := newClient(t)
	_, text := c.ask("POST", "/v3/templates", `{"name":"mine"}`)
	id := decoded[buildInfo](t, text).TemplateID
	link := func() map[string]any {
		_, text := c.ask("GET", "/templates/"+id+"/files/aaaaaaaaaaaaaaaa", "")
		return decoded[map[string]any](t, text)
	}
	c.ask("PUT", strings.TrimPrefix(link()["url"].(string), c.server.URL), packed(t, "a"))
	if link()["present"] != true {
		t.Error("after the upload they are not there")
	}
	clear(c.images.blobs)
	if link()["present"] != false {
		t.Error("after they were pruned they are there")
	}
}

// TestTemplatesAreKept: a server that starts again knows the templates, and which
// builds it has not finished.
func TestTemplatesAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "templates.json")
	store, err := openTemplates(path)
	if err != nil {
		t.Fatal(err)
	}
	err = store.change(func() error {
		store.kept.Templates["id"] = &template{ID: "id", Name: "n", Tags: map[string]string{"default": "b"}, Builds: map[string]*build{
			"b": {ID: "b", Status: buildReady, Recipe: recipe{User: "u"}}, "c": {ID: "c", Status: buildBuilding},
		}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := openTemplates(path)
	if err != nil {
		t.Fatal(err)
	}
	if !again.look("n", func(tm *template, b *build) {
		if b.Recipe.User != "u" || tm.Builds["c"].Status != buildError {
			t.Errorf("%+v, %+v", b, tm.Builds["c"])
		}
	}) {
		t.Error("the template is gone")
	}
}
