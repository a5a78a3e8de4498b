package e2b

import (
	"io"
	"net/http"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// interpreterRoutes are those of the server that E2B's code interpreter has in its
// sandboxes.
var interpreterRoutes = map[string]handler{
	"GET /health":                 (*call).interpreterHealth,
	"POST /execute":               (*call).execute,
	"GET /contexts":               (*call).contexts,
	"POST /contexts":              (*call).newContext,
	"DELETE /contexts/{id}":       (*call).removeContext,
	"POST /contexts/{id}/restart": (*call).restartContext,
}

// serveInterpreter answers a call to the code interpreter. Its clients show the token
// of the sandbox only where code runs: contexts are for whoever knows the id.
func (c *call) serveInterpreter() {
	if !c.mayEnter() {
		return
	}
	answer, ok := interpreterRoutes[c.interpreterRoute()]
	if !ok {
		http.Error(c.w, "the code interpreter has no route "+c.r.Method+" "+c.r.URL.Path, http.StatusNotFound)
		return
	}
	if err := answer(c); err != nil {
		c.failText(err)
	}
}

// interpreterRoute returns the route of a call, with {id} for that of a context.
func (c *call) interpreterRoute() string {
	path := c.r.URL.Path
	if id, rest := contextIn(path); id != "" {
		path = "/contexts/{id}" + rest
	}
	return c.r.Method + " " + path
}

// contextIn returns the id of a context in a path, and what follows.
func contextIn(path string) (id, rest string) {
	after, ok := strings.CutPrefix(path, "/contexts/")
	if !ok {
		return "", ""
	}
	if i := strings.IndexByte(after, '/'); i >= 0 {
		return after[:i], after[i:]
	}
	return after, ""
}

// failText answers with an error as the code interpreter does: a plain sentence.
func (c *call) failText(err error) {
	if c.left() {
		writeGone(c.w, c.session.ID)
		return
	}
	status, message := statusOf(err)
	c.face.logInternal(c.r, status, err)
	http.Error(c.w, message, status)
}

func (c *call) interpreterHealth() error {
	_, _ = io.WriteString(c.w, "OK") // the client may be gone
	return nil
}

// interpreterContext is a context as clients read it.
type interpreterContext struct {
	ID       string `json:"id"`
	Language string `json:"language"`
	Dir      string `json:"cwd"`
}

func (c *call) interpreterContext(x *api.Context) interpreterContext {
	out := interpreterContext{x.ID, x.Spec.Language, x.Spec.Dir}
	if out.Language == "" {
		out.Language = api.LanguagePython
	}
	if out.Dir == "" {
		out.Dir = c.session.Spec.Dir
	}
	return out
}

// startDefaults starts the contexts that at E2B are there from the start, so that
// they are older than any that a client makes.
func (c *call) startDefaults() {
	for _, language := range []string{api.LanguagePython, api.LanguageJavaScript} {
		for _, err := range c.face.Sessions.RunCode(c.ctx(), c.session.ID, api.CodeRequest{Language: language}) {
			if err != nil {
				break // an image need not have both
			}
		}
	}
}

func (c *call) contexts() error {
	c.startDefaults()
	all, err := c.face.Sessions.Contexts(c.ctx(), c.session.ID)
	if err != nil {
		return err
	}
	out := make([]interpreterContext, len(all))
	for i := range all {
		out[i] = c.interpreterContext(&all[i])
	}
	writeJSON(c.w, http.StatusOK, out)
	return nil
}

func (c *call) newContext() error {
	var in struct {
		Language string `json:"language"`
		Dir      string `json:"cwd"`
	}
	if err := readJSON(c.w, c.r, &in); err != nil {
		return err
	}
	language, err := languageOf(in.Language)
	if err != nil {
		return err
	}
	c.startDefaults()
	x, err := c.face.Sessions.NewContext(c.ctx(), c.session.ID, api.ContextSpec{Language: language, Dir: in.Dir})
	if err != nil {
		return err
	}
	writeJSON(c.w, http.StatusOK, c.interpreterContext(x))
	return nil
}

func (c *call) removeContext() error {
	id, _ := contextIn(c.r.URL.Path)
	if err := c.face.Sessions.RemoveContext(c.ctx(), c.session.ID, id); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *call) restartContext() error {
	id, _ := contextIn(c.r.URL.Path)
	if err := c.face.Sessions.RestartContext(c.ctx(), c.session.ID, id); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// languages are those that clients name, by what they are here.
var languages = map[string]string{
	"": api.LanguagePython, "python": api.LanguagePython, "python3": api.LanguagePython,
	"js": api.LanguageJavaScript, "javascript": api.LanguageJavaScript, "ts": api.LanguageTypeScript, "typescript": api.LanguageTypeScript,
	"bash": api.LanguageBash, "r": api.LanguageR, "java": api.LanguageJava,
}

func languageOf(name string) (string, error) {
	if language, ok := languages[strings.ToLower(name)]; ok {
		return language, nil
	}
	return "", badRequest("this server has no interpreter for " + name)
}
