package withheld

import (
	"net/http"
	"slices"
	"strings"
)

// rule allows requests.
type rule struct {
	method string
	parts  []string // of the path, between stars
}

func parseRule(text string) (rule, bool) {
	method, path, ok := strings.Cut(text, " ")
	if !ok || len(text) > maxText || path == "" || path[0] != '/' && path[0] != '*' || strings.ContainsAny(path, " ?#%\\") {
		return rule{}, false
	}
	if method != anyMethod && (!isToken(method) || method != strings.ToUpper(method)) {
		return rule{}, false
	}
	return rule{method, strings.Split(path, "*")}, true
}

func (r rule) matches(method, path string) bool {
	return (r.method == anyMethod || r.method == method) && glob(r.parts, path)
}

// glob reports whether text has the parts in their order, the first at its begin and
// the last at its end. It takes time in proportion to text for each part.
func glob(parts []string, text string) bool {
	if len(parts) == 1 {
		return text == parts[0]
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return strings.HasSuffix(text, parts[len(parts)-1])
}

// allowed returns the secrets whose rules allow the request, or why none does.
func (p *Place) allowed(r *http.Request) ([]*held, *Refusal) {
	ruled := slices.ContainsFunc(p.secrets, func(h *held) bool { return len(h.allow) > 0 })
	if ruled && !plainPath(r) {
		return nil, &Refusal{"the path of the request has parts that servers read in different ways, such as .. or %2f", "write the path plainly"}
	}
	var out []*held
	for _, h := range p.secrets {
		if len(h.allow) == 0 || slices.ContainsFunc(h.allow, func(a rule) bool { return a.matches(r.Method, r.URL.Path) }) {
			out = append(out, h)
		}
	}
	if out == nil {
		return nil, &Refusal{r.Method + " " + clip(r.URL.Path) + " is not allowed at " + p.name + ", " + p.summary(),
			"the task decides this; a retry will not help, ask for the request to be allowed"}
	}
	return out, nil
}

// plainPath reports whether no server can take the path for another one.
func plainPath(r *http.Request) bool {
	path := r.URL.Path
	escaped := strings.ToLower(r.URL.EscapedPath())
	if path == "" || path[0] != '/' || strings.ContainsAny(path, "\\%;\x00\r\n") || strings.Contains(escaped, "%2f") || strings.Contains(path, "//") {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

// summary says which requests are allowed instead: the first ones.
func (p *Place) summary() string {
	const shown = 8
	var rules []string
	for _, h := range p.secrets {
		for _, rule := range h.Ref.Allow {
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
		}
	}
	more := ""
	if len(rules) > shown {
		rules, more = rules[:shown], " and more"
	}
	return "only " + strings.Join(rules, ", ") + more
}

// overrides are headers by which a request has another method than it says.
var overrides = []string{"X-Http-Method-Override", "X-Http-Method", "X-Method-Override"}
