// Package egress is the host side of a cell's network access: an HTTP proxy that
// resolves names itself, connects only to addresses it has checked, applies
// the network policy of the run to every connection and request, and writes
// the audit.
//
// Some addresses are never reachable, whatever the policy says: those of this
// host, private and link-local networks, and the metadata services of clouds.
//
// One limit remains: a TLS client that hides the server name (encrypted client
// hello) shows only the outer name, and that is the name that is checked. The
// connection still ends at an address of the allowed host.
package egress

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// maxRules bounds the allow list of one run.
const maxRules = 1000

// Policy says which hosts and ports a cell may reach. It is immutable.
type Policy struct {
	public bool
	rules  []rule
}

// rule allows one domain, or with below set every domain below it.
type rule struct {
	domain string // lower case, without a trailing dot
	below  bool
	port   uint16 // 0 is 80 and 443
}

// ParsePolicy checks n. The zero value of n allows nothing. A domain matches
// itself only; "*.example.com" matches any depth below example.com but not
// example.com itself; ":port" after a domain replaces the ports 80 and 443.
// The error is invalid_task and names the field.
func ParsePolicy(n api.Network) (*Policy, error) {
	if n.Public && len(n.Allow) > 0 {
		return nil, invalid("network", "public or a list of domains", "both").
			WithHint("public already includes every domain: leave out one of the two")
	}
	if len(n.Allow) > maxRules {
		return nil, invalid("network.allow", "at most "+strconv.Itoa(maxRules)+" domains", strconv.Itoa(len(n.Allow)))
	}
	p := &Policy{public: n.Public}
	for i, text := range n.Allow {
		r, err := parseRule("network.allow["+strconv.Itoa(i)+"]", text)
		if err != nil {
			return nil, err
		}
		p.rules = append(p.rules, r)
	}
	return p, nil
}

func parseRule(field, text string) (rule, error) {
	host, portText, hasPort := strings.Cut(text, ":")
	if isAddress(text) || isAddress(host) {
		return rule{}, invalid(field, "a domain", "the address "+strconv.Quote(text)).
			WithHint("name the domain; addresses are reachable only with the network set to public")
	}
	if problem := ruleProblem(text); problem != "" {
		return rule{}, invalid(field, "a domain such as pypi.org or *.example.com", strconv.Quote(text)).WithHint("%s", problem)
	}
	r := rule{}
	if hasPort {
		port, ok := parsePort(portText)
		if !ok {
			return rule{}, invalid(field, "a port from 1 to 65535 after the colon", strconv.Quote(text))
		}
		r.port = port
	}
	host, r.below = strings.CutPrefix(host, "*.")
	name, ok := parseName(host)
	if !ok {
		return rule{}, invalid(field, "a domain such as pypi.org or *.example.com", strconv.Quote(text))
	}
	r.domain = name
	return r, nil
}

// ruleProblem names the usual mistakes, so that the hint can say what to do.
func ruleProblem(text string) string {
	switch {
	case text == "":
		return "remove the empty entry"
	case text == "*":
		return "to allow every host, set the network to public"
	case strings.Contains(text, "://"):
		return "leave out the scheme: write the host only"
	case strings.ContainsAny(text, "/?#"):
		return "leave out the path: whole hosts are allowed, not pages"
	case strings.Contains(text, "@"):
		return "leave out the user: write the host only"
	case !isASCII(text):
		return "write the domain in its ASCII form, which begins with xn--"
	}
	return ""
}

// isAddress reports whether text is an IP address in any spelling.
func isAddress(text string) bool {
	bare := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	if _, err := netip.ParseAddr(bare); err == nil {
		return true
	}
	if _, err := netip.ParseAddrPort(text); err == nil {
		return true
	}
	return endsInNumber(text)
}

// Within reports what a cell under the policy inner could reach and one under
// outer could not. Nil means nothing. Both have to be good.
func Within(inner, outer api.Network) error {
	in, err := ParsePolicy(inner)
	if err != nil {
		return err
	}
	out, err := ParsePolicy(outer)
	switch {
	case err != nil:
		return err
	case out.public:
		return nil
	case in.public:
		return invalid("network", "no more than "+out.summary(), "public")
	}
	for i, r := range in.rules {
		if !out.covers(r) {
			return invalid("network.allow["+strconv.Itoa(i)+"]", "no more than "+out.summary(), r.String())
		}
	}
	return nil
}

// covers reports whether all that r allows is allowed.
func (p *Policy) covers(r rule) bool {
	ports := []uint16{r.port}
	if r.port == 0 {
		ports = []uint16{80, 443}
	}
	for _, port := range ports {
		if !slices.ContainsFunc(p.rules, func(o rule) bool { return o.covers(r, port) }) {
			return false
		}
	}
	return true
}

func (r rule) covers(inner rule, port uint16) bool {
	switch {
	case r.port != port && (r.port != 0 || port != 80 && port != 443):
		return false
	case r.below:
		return strings.HasSuffix(inner.domain, "."+r.domain) || inner.below && inner.domain == r.domain
	}
	return !inner.below && inner.domain == r.domain
}

func invalid(field, expected, got string) *api.Error {
	return api.Errorf(api.InvalidTask, "%s: expected %s, got %s", field, expected, got).
		WithDetails(api.Details{Field: field, Expected: expected, Got: got})
}

// check returns nil if the policy lets a cell reach t. The addresses behind a
// name are checked later, when they are known.
func (p *Policy) check(t target) *refusal {
	if t.host == api.EngineHost {
		return badRequest("the engine is asked by CONNECT %s:%d", t.host, enginePort)
	}
	if t.isDeniedName() {
		return denied("%s is never reachable from a cell", t.host)
	}
	if p.public {
		return nil
	}
	if t.addr.IsValid() {
		return denied("addresses are refused, %s may be reached", p.summary())
	}
	if slices.ContainsFunc(p.rules, func(r rule) bool { return r.matches(t) }) {
		return nil
	}
	return denied("%s is not allowed, %s may be reached", t, p.summary())
}

func (r rule) matches(t target) bool {
	if r.port != t.port && (r.port != 0 || t.port != 80 && t.port != 443) {
		return false
	}
	if r.below {
		return strings.HasSuffix(t.host, "."+r.domain)
	}
	return t.host == r.domain
}

// summary says what may be reached instead: the first rules.
func (p *Policy) summary() string {
	const shown = 8
	if len(p.rules) == 0 {
		return "nothing"
	}
	var names []string
	for _, r := range p.rules[:min(shown, len(p.rules))] {
		names = append(names, r.String())
	}
	if more := len(p.rules) - shown; more > 0 {
		names = append(names, strconv.Itoa(more)+" more")
	}
	return "only " + strings.Join(names, ", ")
}

// String returns the rule as it is written in an allow list.
func (r rule) String() string {
	text := r.domain
	if r.below {
		text = "*." + text
	}
	if r.port != 0 {
		text += ":" + strconv.Itoa(int(r.port))
	}
	return text
}
