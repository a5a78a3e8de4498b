package server

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

type sessionRunArgs struct {
	sessionArgs
	Code      string  `json:"code" jsonschema:"code to execute; variables of earlier calls are there, and the value of the last expression is returned"`
	Language  string  `json:"language,omitempty" enum:"python,bash,javascript,typescript,r,java" jsonschema:"the language of the code; empty is python"`
	TimeLimit float64 `json:"time_limit_s,omitempty" jsonschema:"seconds after which it is interrupted, while the variables stay; 0 is 300"`
}

func (s *Server) addCode() {
	add(s, &mcp.Tool{
		Name: "session_run", Annotations: isolated("Run code with state in a session"),
		Description: "Run Python (or bash, JavaScript, TypeScript, R, Java) code in a session, as in a Jupyter notebook: variables, imports and files stay from call to call. " +
			"Returns what it printed, the value of the last expression, and plots as images.",
	}, s.sessionRun)
}

// codeView is what a model sees of an execution.
type codeView struct {
	Stdout  string   `json:"stdout,omitempty" jsonschema:"what it printed"`
	Stderr  string   `json:"stderr,omitempty" jsonschema:"what it printed to standard error"`
	Value   string   `json:"value,omitempty" jsonschema:"the value of the last expression, as text"`
	Results []string `json:"results,omitempty" jsonschema:"what it displayed beside, as text; images are contents of their own"`
	Error   string   `json:"error,omitempty" jsonschema:"the exception that ended it, with its traceback"`
	Cut     []string `json:"cut,omitempty" jsonschema:"what was left out of this answer"`

	images []mcp.Content
}

func (v *codeView) failed() bool { return v.Error != "" }

func (v *codeView) content() []mcp.Content {
	var b strings.Builder
	parts := []struct{ title, text string }{{"error", v.Error}, {"stdout", v.Stdout}, {"stderr", v.Stderr}, {"value", v.Value}, {"displayed", strings.Join(v.Results, "\n")}}
	for _, part := range parts {
		if part.text != "" {
			fmt.Fprintf(&b, "%s:\n%s\n", part.title, strings.TrimRight(part.text, "\n"))
		}
	}
	for _, c := range v.Cut {
		fmt.Fprintf(&b, "left out: %s\n", c)
	}
	if b.Len() == 0 {
		b.WriteString("done, without output")
	}
	return append([]mcp.Content{&mcp.TextContent{Text: b.String()}}, v.images...)
}

func (v *codeView) leave(format string, args ...any) {
	v.Cut = append(v.Cut, fmt.Sprintf(format, args...))
}

func (s *Server) sessionRun(ctx context.Context, req *mcp.CallToolRequest, a sessionRunArgs) (*codeView, error) {
	limit := a.TimeLimit
	if limit == 0 {
		limit = defaultTimeLimit
	}
	progress := report(ctx, req)
	defer progress.stop()
	lines := progress.writer()
	v, stdout, stderr := &codeView{}, &printed{}, &printed{}
	for e, err := range s.service.RunCode(ctx, a.Session, api.CodeRequest{Code: a.Code, Language: a.Language, Timeout: seconds(limit)}) {
		if err != nil {
			return nil, err
		}
		switch e.Type {
		case api.CodeStdout:
			stdout.add([]byte(e.Text))
			if lines != nil {
				_, _ = lines.Write([]byte(e.Text)) // it cannot fail
			}
		case api.CodeStderr:
			stderr.add([]byte(e.Text))
		case api.CodeResult:
			v.result(e)
		case api.CodeError:
			v.Error, _ = cut([]byte(failureText(e.Error)), maxError)
		}
	}
	v.Stdout, v.Stderr = v.stream("stdout", stdout), v.stream("stderr", stderr)
	return v, nil
}

func failureText(f *api.CodeFailure) string {
	if f.Traceback != "" {
		return f.Traceback
	}
	return f.Name + ": " + f.Value
}

func (v *codeView) stream(name string, p *printed) string {
	kept, left := p.text()
	if left > 0 {
		v.leave("%d bytes in the middle of %s; write it to a file, and page through that with file_read", left, name)
	}
	return kept
}

// maxResults is how many results of one execution are shown.
const maxResults = 20

// result shows a result in the form that says most to a model: an image, or text.
func (v *codeView) result(e api.CodeEvent) {
	for _, kind := range imageTypes {
		if raw, ok := e.Data[kind]; ok && v.image(kind, raw) {
			return
		}
	}
	text, left := cut([]byte(resultText(e.Data)), maxValue)
	switch {
	case left > 0:
		v.leave("%d bytes in the middle of a result", left)
	case len(v.Results) == maxResults:
		v.leave("results after the first %d", maxResults)
		return
	}
	if e.Main {
		v.Value = text
	} else if text != "" {
		v.Results = append(v.Results, text)
	}
}

// image shows an image, and reports whether that was possible.
func (v *codeView) image(kind string, raw json.RawMessage) bool {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return false
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	switch {
	case err != nil:
		return false
	case len(data) > maxImage || len(v.images) == maxImages:
		v.leave("an image of %d bytes: at most %d of at most %d bytes are shown; save it to a file", len(data), maxImages, maxImage)
	default:
		v.images = append(v.images, &mcp.ImageContent{Data: data, MIMEType: kind})
	}
	return true
}

// textForms are the forms of results that are text, the best first.
var textForms = []string{"text/plain", "text/markdown", "text/html", "application/json"}

func resultText(data map[string]json.RawMessage) string {
	i := slices.IndexFunc(textForms, func(form string) bool { return data[form] != nil })
	if i < 0 {
		return ""
	}
	var text string
	if json.Unmarshal(data[textForms[i]], &text) != nil {
		return string(data[textForms[i]]) // JSON that is no string
	}
	return text
}
