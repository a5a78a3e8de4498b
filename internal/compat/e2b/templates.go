package e2b

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

var (
	templateName = lazyregexp.New(`^[a-z0-9A-Z][a-z0-9A-Z._-]{0,127}(/[a-z0-9A-Z][a-z0-9A-Z._-]{0,127})?$`)
	tagName      = lazyregexp.New(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$`)
	hashName     = lazyregexp.New(`^[a-zA-Z0-9]{16,128}$`)
)

// newTemplateID looks as theirs do.
func newTemplateID() string { return strings.ToLower(rand.Text())[:20] }

func newUUID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// logLine is something that a build said.
type logLine struct {
	Timestamp time.Time `json:"timestamp"`
	Level     string    `json:"level"`
	Message   string    `json:"message"`
}

// The bounds of what a build says.
const (
	maxLogLines  = 10_000
	logLinesPage = 100
)

func (s *templateStore) log(b *build, level, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(b.logs) < maxLogLines {
		b.logs = append(b.logs, logLine{time.Now().UTC(), level, message})
	}
}

// file finds the blob with the files of a hash.
func (s *templateStore) file(hash string) (digest string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	digest, ok = s.kept.Files[hash]
	return digest, ok
}

// buildInfo is the state of a build.
type buildInfo struct {
	TemplateID string      `json:"templateID"`
	BuildID    string      `json:"buildID"`
	Status     string      `json:"status"`
	Logs       []string    `json:"logs"`
	LogEntries []logLine   `json:"logEntries"`
	Reason     *failReason `json:"reason,omitempty"`
}

func (s *templateStore) status(template string, b *build, from int) buildInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := b.logs[min(from, len(b.logs)):]
	lines = slices.Clone(lines[:min(len(lines), logLinesPage)])
	out := buildInfo{TemplateID: template, BuildID: b.ID, Status: b.Status, Logs: []string{}, LogEntries: append([]logLine{}, lines...), Reason: b.Reason}
	for _, l := range lines {
		out.Logs = append(out.Logs, l.Message)
	}
	return out
}

// built returns the beginning of a session of a template that a client made.
func (f *Face) built(name string) (b build, ok bool) {
	f.templates.look(name, func(_ *template, found *build) {
		if found != nil && found.Status == buildReady {
			b, ok = *found, true
		}
	})
	return b, ok
}

// resources are what a build was asked for with.
func (b *build) resources() api.Resources {
	return api.Resources{CPU: float64(b.CPU), Memory: b.Memory}
}

// escaped returns a name in a path, which some SDKs escape twice.
func escaped(r *http.Request, key string) (string, error) {
	name, err := url.PathUnescape(r.PathValue(key))
	if err != nil {
		return "", badRequest("the name of the template cannot be read")
	}
	return name, nil
}

// templatePart answers for two paths that a mux cannot tell apart: aliases/NAME and
// NAME/tags.
func (f *Face) templatePart(w http.ResponseWriter, r *http.Request) error {
	id, err := escaped(r, "id")
	if err != nil {
		return err
	}
	part, err := escaped(r, "part")
	switch {
	case err != nil:
		return err
	case id == "aliases":
		return f.alias(w, part)
	case part == "tags":
		return f.tags(w, id)
	}
	return refused{http.StatusNotFound, "there is no route " + r.Method + " " + r.URL.Path}
}

func (f *Face) alias(w http.ResponseWriter, name string) error {
	id := ""
	f.templates.look(name, func(t *template, _ *build) { id = t.ID })
	if _, ok := builtin[name]; ok {
		id = name
	}
	if id == "" {
		return refused{http.StatusNotFound, "template '" + name + "' not found"}
	}
	writeJSON(w, http.StatusOK, map[string]any{"templateID": id, "public": false})
	return nil
}

// listTemplates lists those that clients made.
func (f *Face) listTemplates(w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, http.StatusOK, f.templates.list())
	return nil
}

func (s *templateStore) list() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []map[string]any{}
	for _, t := range s.all() {
		entry := map[string]any{
			"templateID": t.ID, "names": []string{t.Name}, "aliases": []string{t.Name}, "public": false, "buildCount": len(t.Builds), "spawnCount": 0,
			"envdVersion": envdVersion, "createdAt": t.newest(), "updatedAt": t.newest(), "lastSpawnedAt": nil, "createdBy": nil,
			"buildID": t.Tags[defaultTag[1:]], "cpuCount": 0, "memoryMB": 0, "diskSizeMB": 0, "buildStatus": buildWaiting,
		}
		if b := t.Builds[t.Tags[defaultTag[1:]]]; b != nil {
			res := b.resources().WithDefaults()
			entry["cpuCount"], entry["memoryMB"], entry["diskSizeMB"], entry["buildStatus"] = max(1, int(res.CPU)), res.Memory>>20, res.Disk>>20, b.Status
		}
		out = append(out, entry)
	}
	return out
}

// removeBuilt removes a template that a client made; ok is false if there is none.
func (f *Face) removeBuilt(name string) (ok bool, err error) {
	err = f.templates.change(func() error {
		if t := f.templates.named(name); t != nil {
			delete(f.templates.kept.Templates, t.ID)
			ok = true
		}
		return nil
	})
	return ok, err
}

type tagInfo struct {
	Tag       string    `json:"tag"`
	BuildID   string    `json:"buildID"`
	CreatedAt time.Time `json:"createdAt"`
}

func (f *Face) tags(w http.ResponseWriter, name string) error {
	out := []tagInfo{}
	if !f.templates.look(name, func(t *template, _ *build) {
		for tag, id := range t.Tags {
			out = append(out, tagInfo{tag, id, t.Builds[id].Created})
		}
	}) {
		return refused{http.StatusNotFound, "template '" + name + "' not found"}
	}
	slices.SortFunc(out, func(a, b tagInfo) int { return strings.Compare(a.Tag, b.Tag) })
	writeJSON(w, http.StatusOK, out)
	return nil
}

// addTags gives the build that a name means further tags.
func (f *Face) addTags(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Target string   `json:"target"`
		Tags   []string `json:"tags"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if slices.ContainsFunc(in.Tags, func(t string) bool { return !tagName().MatchString(t) }) {
		return badRequest("tags are none of a template")
	}
	var id string
	err := f.templates.change(func() error {
		name, tag := splitTag(in.Target)
		t := f.templates.named(name)
		if t == nil || t.Tags[tag] == "" {
			return refused{http.StatusNotFound, "template '" + in.Target + "' not found"}
		}
		id = t.Tags[tag]
		for _, tag := range in.Tags {
			t.Tags[tag] = id
		}
		return nil
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, map[string]any{"buildID": id, "tags": in.Tags})
	return nil
}

func (f *Face) removeTags(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	err := f.templates.change(func() error {
		t := f.templates.named(in.Name)
		if t == nil {
			return refused{http.StatusNotFound, "template '" + in.Name + "' not found"}
		}
		for _, tag := range in.Tags {
			delete(t.Tags, tag)
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
