package withheld

import (
	"fmt"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// The bounds of one ref.
const (
	maxHosts  = 32
	maxRules  = 64
	maxText   = 1024 // bytes of a rule, or of where a value goes
	placed    = "{}" // stands for the value
	anyMethod = "*"
)

// Check says what is wrong with the withheld part of a ref; of one that is not withheld,
// that it has such a part.
func Check(field string, ref api.SecretRef) error {
	if !ref.Withheld() {
		for _, part := range []struct {
			name string
			set  bool
		}{{"inject", ref.Inject != ""}, {"allow", len(ref.Allow) > 0}, {"max_request", ref.MaxRequest != 0}, {"max_response", ref.MaxResponse != 0}} {
			if part.set {
				return api.WrongField(field+"."+part.name, "set", "nothing without hosts: name those that may have the value")
			}
		}
		return nil
	}
	_, err := parse(field, ref)
	return err
}

// Networks returns what the network of a task must allow for the hosts of a ref that has
// passed Check, in their order.
func Networks(ref api.SecretRef) []string {
	var allow []string
	for _, text := range ref.Hosts {
		if h, err := parseHost("hosts", text); err == nil {
			allow = append(allow, h.network())
		}
	}
	return allow
}

func parse(field string, ref api.SecretRef) (*held, error) {
	h := &held{}
	switch {
	case len(ref.Hosts) > maxHosts:
		return nil, api.WrongField(field+".hosts", strconv.Itoa(len(ref.Hosts)), fmt.Sprintf("at most %d hosts", maxHosts))
	case len(ref.Allow) > maxRules:
		return nil, api.WrongField(field+".allow", strconv.Itoa(len(ref.Allow)), fmt.Sprintf("at most %d rules", maxRules))
	case ref.MaxRequest < 0:
		return nil, api.WrongField(field+".max_request", strconv.FormatInt(ref.MaxRequest, 10), "bytes, or 0 for no bound")
	case ref.MaxResponse < 0:
		return nil, api.WrongField(field+".max_response", strconv.FormatInt(ref.MaxResponse, 10), "bytes, or 0 for no bound")
	}
	for i, text := range ref.Hosts {
		host, err := parseHost(fmt.Sprintf("%s.hosts[%d]", field, i), text)
		if err != nil {
			return nil, err
		}
		h.hosts = append(h.hosts, host)
	}
	for i, text := range ref.Allow {
		r, ok := parseRule(text)
		if !ok {
			return nil, api.WrongField(fmt.Sprintf("%s.allow[%d]", field, i), value.Quote(value.Shorten(text, 100)), `a method and a path, such as "GET /v1/*"`)
		}
		h.allow = append(h.allow, r)
	}
	var err error
	h.inject, err = parseInject(field+".inject", ref.Inject)
	return h, err
}

// host is one to which a value goes.
type host struct {
	domain string // lower case, without a trailing dot
	below  bool   // all domains below it, in place of itself
	port   uint16
	secure bool // by TLS
}

func parseHost(field, text string) (host, error) {
	wrong := func(expected string) (host, error) {
		return host{}, api.WrongField(field, value.Quote(value.Shorten(text, 100)), expected)
	}
	h := host{secure: true, port: 443}
	rest, plain := strings.CutPrefix(text, "http://")
	if plain {
		h.secure = false
	} else {
		rest = strings.TrimPrefix(rest, "https://")
	}
	name, port, given := strings.Cut(rest, ":")
	if plain && !given {
		h.port = 80
	}
	if given {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 || port[0] == '+' {
			return wrong("a port from 1 to 65535 after the colon")
		}
		h.port = uint16(n)
	}
	name, h.below = strings.CutPrefix(name, "*.")
	h.domain = strings.ToLower(strings.TrimSuffix(name, "."))
	if !isDomain(h.domain) || h.below && !strings.Contains(h.domain, ".") {
		return wrong(`a host such as "api.example.com" or "*.example.com", without a path`)
	}
	return h, nil
}

// isDomain is stricter than DNS: it is a name with letters, and no address.
func isDomain(name string) bool {
	if name == "" || len(name) > 253 {
		return false
	}
	var last string
	for last = range strings.SplitSeq(name, ".") {
		if last == "" || len(last) > 63 || last[0] == '-' || last[len(last)-1] == '-' || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return 'a' <= last[0] && last[0] <= 'z'
}

func (h host) named(name string) bool {
	if h.below {
		return strings.HasSuffix(name, "."+h.domain)
	}
	return name == h.domain
}

func (h host) matches(secure bool, name string, port uint16) bool {
	return h.secure == secure && h.port == port && h.named(name)
}

// network is the host as an entry of an allow list.
func (h host) network() string {
	text := h.domain
	if h.below {
		text = "*." + text
	}
	return text + ":" + strconv.Itoa(int(h.port))
}

// inject is where a value goes. With neither a header nor a query it goes where the
// placeholder stands in a header.
type inject struct {
	header        string // its canonical name
	query         string
	before, after string // the text around the value
	signs         bool   // it goes nowhere, requests are signed with it
}

func parseInject(field, text string) (inject, error) {
	wrong := func(expected string) (inject, error) {
		return inject{}, api.WrongField(field, value.Quote(value.Shorten(text, 100)), expected)
	}
	if len(text) > maxText || strings.ContainsFunc(text, func(c rune) bool { return !printable(c) }) {
		return wrong("at most 1024 bytes of printable ASCII")
	}
	if text == "" || text == "placeholder" {
		return inject{}, nil
	}
	if text == sigV4 {
		return inject{signs: true}, nil
	}
	kind, rest, _ := strings.Cut(text, ":")
	separator := map[string]string{"header": ":", "query": "="}[kind]
	if separator == "" {
		return wrong(`"placeholder", "header:NAME: TEMPLATE", "query:NAME=TEMPLATE" or "aws-sigv4"`)
	}
	name, template, _ := strings.Cut(rest, separator)
	name, template = strings.TrimSpace(name), strings.TrimSpace(template)
	before, after, found := strings.Cut(template, placed)
	if !found || strings.Contains(after, placed) {
		return wrong("a template with {} once, where the value goes, as in " + kind + ":" + map[string]string{"header": "Authorization: Bearer {}", "query": "key={}"}[kind])
	}
	if kind == "query" {
		if name == "" {
			return wrong("the name of a member of the query, as in query:key={}")
		}
		return inject{query: name, before: before, after: after}, nil
	}
	if !isToken(name) || ofConnection(textproto.CanonicalMIMEHeaderKey(name)) {
		return wrong("the name of a header that is not about the connection, as in header:Authorization: Bearer {}")
	}
	return inject{header: textproto.CanonicalMIMEHeaderKey(name), before: before, after: after}, nil
}

func isToken(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") == ""
}

// ofConnection reports headers by which a value would change what the request is.
func ofConnection(name string) bool {
	switch name {
	case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Te", "Trailer", "Expect", "Range", "Accept-Encoding":
		return true
	}
	return strings.HasPrefix(name, "Proxy-") || strings.HasPrefix(name, "Sec-Websocket-")
}
