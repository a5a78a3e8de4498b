package compose

import (
	"strings"

	"github.com/compose-spec/compose-go/v2/template"
	"github.com/goccy/go-yaml/ast"
	"github.com/mattn/go-shellwords"

	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// maxWork bounds the bytes that are read for the variables of a file, where each
// variable reads its string again.
const maxWork = 8 << 20

// unset stands around the name of a variable that has no value. It is in what
// comes out where the file has no default for it, and Docker would put nothing.
const unset = "\x00"

// text reads a scalar with the values of variables in it.
func (r *reader) text(n yamlfile.Node) string {
	word := r.Word(n)
	if r.Err != nil || !strings.Contains(word, "$") {
		return word
	}
	if r.work += len(word) * strings.Count(word, "$"); r.work > maxWork {
		r.Fail(n, "there are too many variables in long strings").WithHint("write the values out")
		return ""
	}
	out, err := template.SubstituteWithOptions(word, func(name string) (string, bool) {
		if v, ok := r.lookup(name); ok {
			return v, true
		}
		return unset + name + unset, false
	}, template.WithoutLogging)
	if err != nil {
		r.Fail(n, "%s", err).WithHint("write ${NAME}, ${NAME:-default}, or $$ for the sign itself")
		return ""
	}
	if _, after, missing := strings.Cut(out, unset); missing {
		name, _, _ := strings.Cut(after, unset)
		r.Fail(n, "the variable %s is not set", name).WithHint("set it where the command is given or in a file .env beside the compose file, or write ${%s:-default}", name)
	}
	return out
}

// argv reads a list of words, or a string that is split as a shell would.
func (r *reader) argv(n yamlfile.Node, what string) []string {
	var out []string
	if _, list := n.(*ast.SequenceNode); list {
		for _, item := range r.Items(n, what) {
			out = append(out, r.text(item))
		}
	} else {
		out = r.split(n, what)
	}
	if r.Err == nil && len(out) == 0 {
		r.Fail(n, "%s has no words", what).WithHint("leave it out for that of the image")
	}
	return out
}

// split refuses what only a shell would do, where Docker drops the rest.
func (r *reader) split(n yamlfile.Node, what string) []string {
	text := r.text(n)
	parser := shellwords.NewParser()
	words, err := parser.Parse(text)
	if r.Err == nil && (err != nil || parser.Position >= 0) {
		r.Fail(n, "%s %s is no list of words", what, value.Quote(text)).WithHint(`no shell reads it: write [sh, -c, "..."]`)
	}
	return words
}

// assignments reads a mapping, or a list of NAME=VALUE, into out. A name alone
// stands for the variable of the caller, if that is set.
func (r *reader) assignments(out map[string]string, n yamlfile.Node, what string) {
	if _, list := n.(*ast.SequenceNode); list {
		for _, item := range r.Items(n, what) {
			name, text, given := strings.Cut(r.text(item), "=")
			r.assign(out, name, text, given)
		}
		return
	}
	for _, p := range r.Pairs(n, what) {
		if _, null := p.Value.(*ast.NullNode); null {
			r.assign(out, p.Key, "", false)
			continue
		}
		r.assign(out, p.Key, r.text(p.Value), true)
	}
}

func (r *reader) assign(out map[string]string, name, text string, given bool) {
	if !given {
		text, given = r.lookup(name)
	}
	if given {
		out[name] = text
	}
}
