package image

import (
	"bufio"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// defaultIndex is the package index unless the user's settings name another,
// and fileHost is where it keeps its files.
const (
	defaultIndex = "https://pypi.org/simple"
	fileHost     = "files.pythonhosted.org"
)

// indexes are the package indexes of the user's pip and uv settings, the
// default one first.
type indexes struct {
	list  []index
	links []index // pages of links, of PIP_FIND_LINKS
}

// index is one package index. A relayed index is reached through the host,
// which adds what the cell must not know: its credentials or its address.
type index struct {
	url   *url.URL // without credentials
	user  *url.Userinfo
	relay string // the host name that stands for it in the cell, else empty
}

// readIndexes reads the settings of pip and uv: the environment before pip's
// configuration files. Local directories are left out, because a cell sees
// nothing of the host.
func readIndexes(getenv func(string) string) (indexes, error) {
	conf := pipConfig(getenv)
	main := firstOf(getenv("UV_DEFAULT_INDEX"), getenv("UV_INDEX_URL"), getenv("PIP_INDEX_URL"), conf["index-url"], defaultIndex)
	extra := strings.Fields(strings.Join([]string{getenv("UV_INDEX"), getenv("UV_EXTRA_INDEX_URL"),
		firstOf(getenv("PIP_EXTRA_INDEX_URL"), conf["extra-index-url"])}, " "))
	var set indexes
	for _, raw := range append([]string{main}, extra...) {
		idx, err := parseIndex(raw, len(set.list))
		if err != nil {
			return indexes{}, err
		}
		set.list = append(set.list, idx)
	}
	for _, raw := range strings.Fields(firstOf(getenv("UV_FIND_LINKS"), getenv("PIP_FIND_LINKS"), conf["find-links"])) {
		if !strings.HasPrefix(raw, "https://") && !strings.HasPrefix(raw, "http://") {
			continue
		}
		idx, err := parseIndex(raw, len(set.list)+len(set.links))
		if err != nil {
			return indexes{}, err
		}
		set.links = append(set.links, idx)
	}
	return set, nil
}

func firstOf(values ...string) string {
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// parseIndex reads a URL, with an optional "name=" before it as uv has it. Its
// errors never repeat the text, which may hold a password.
func parseIndex(raw string, n int) (index, error) {
	if name, rest, ok := strings.Cut(raw, "="); ok && !strings.Contains(name, ":") {
		raw = rest
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return index{}, api.Errorf(api.IndexUnavailable, "setting of package index %d is not an http or https URL", n+1).
			WithHint("correct PIP_INDEX_URL, UV_DEFAULT_INDEX, UV_INDEX or pip.conf")
	}
	idx := index{url: u, user: u.User}
	u.User = nil
	if idx.user != nil || isPrivateHost(u.Hostname()) {
		idx.relay = fmt.Sprintf("index-%d.glovebox.internal", n)
	}
	return idx, nil
}

// checkIndexURL refuses what a spec may not name as an index. Errors never
// repeat the credentials of a URL.
func checkIndexURL(field, raw string) error {
	u, err := url.Parse(raw)
	if err == nil && u.User != nil {
		return api.Errorf(api.InvalidTask, "image field %s holds credentials for %s, which would be kept with the task and the image", field, u.Host).
			WithHint("leave them out of the URL, and give the engine the same index with its credentials: PIP_EXTRA_INDEX_URL, UV_INDEX or pip.conf of its host").
			WithDetails(api.Details{Field: "image." + field, Expected: "a URL without user and password"})
	}
	if err != nil || plainText(raw) != nil || strings.ContainsAny(raw, " ,") || u.Scheme != "https" && u.Scheme != "http" ||
		u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return api.Errorf(api.InvalidTask, "image field %s is not the URL of a package index", field).
			WithHint("write a URL such as https://pypi.org/simple").
			WithDetails(api.Details{Field: "image." + field, Got: quoteStart(raw), Expected: "an https URL without a query"})
	}
	return nil
}

// isPrivateHost says whether a cell could not reach host even if it is allowed.
func isPrivateHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "localhost" || !strings.Contains(host, ".")
}

// with gives the indexes of one build: those that its spec names, and those of
// the engine unless the spec names the main one. Only an index that the engine
// has too is reached over the host, with its credentials: a spec cannot lead
// the host anywhere.
func (s indexes) with(spec Spec) (indexes, error) {
	if spec.IndexURL == "" && len(spec.ExtraIndexURLs) == 0 {
		return s, nil
	}
	var out indexes
	if spec.IndexURL == "" {
		out = indexes{list: s.list[:1:1], links: s.links}
	} else {
		main, err := s.named("index_url", spec.IndexURL, 0)
		if err != nil {
			return indexes{}, err
		}
		out.list = []index{main}
	}
	for n, raw := range spec.ExtraIndexURLs {
		idx, err := s.named("extra_index_urls", raw, n+1)
		if err != nil {
			return indexes{}, err
		}
		out.list = append(out.list, idx)
	}
	if spec.IndexURL == "" {
		out.list = append(out.list, s.list[1:]...)
	}
	return out, nil
}

// named is the index that a spec names as its n-th.
func (s indexes) named(field, raw string, n int) (index, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return index{}, checkIndexURL(field, raw)
	}
	for _, own := range slices.Concat(s.list, s.links) {
		if own.url.Scheme != u.Scheme || own.url.Host != u.Host {
			continue
		}
		idx := index{url: u, user: own.user}
		if own.relay != "" {
			idx.relay = fmt.Sprintf("index-named-%d.glovebox.internal", n)
		}
		return idx, nil
	}
	if u.Scheme != "https" || isPrivateHost(u.Hostname()) {
		return index{}, api.Errorf(api.InvalidTask, "image field %s names %s, which is not an https index with a public name", field, u.Host).
			WithHint("use https and the name of the host, or give the engine the same index: PIP_EXTRA_INDEX_URL, UV_INDEX or pip.conf of its host").
			WithDetails(api.Details{Field: "image." + field, Got: raw})
	}
	return index{url: u}, nil
}

// realURL puts the address of an index in place of its stand-in.
func (s indexes) realURL(cellURL string) string {
	for _, i := range s.list {
		if strings.TrimSuffix(cellURL, "/") == strings.TrimSuffix(i.cellURL(), "/") {
			return i.url.String()
		}
	}
	return cellURL
}

// cellURL is the URL of the index as programs in the cell use it.
func (i index) cellURL() string {
	if i.relay == "" {
		return i.url.String()
	}
	u := *i.url
	u.Scheme, u.Host = "http", i.relay
	return u.String()
}

// env tells uv and pip in the cell which indexes there are.
func (s indexes) env() []string {
	var extra, links []string
	for _, i := range s.list[1:] {
		extra = append(extra, i.cellURL())
	}
	for _, i := range s.links {
		links = append(links, i.cellURL())
	}
	main := s.list[0].cellURL()
	env := []string{"UV_DEFAULT_INDEX=" + main, "PIP_INDEX_URL=" + main, "UV_INDEX_STRATEGY=first-index"}
	if len(extra) > 0 {
		joined := strings.Join(extra, " ")
		env = append(env, "UV_INDEX="+joined, "PIP_EXTRA_INDEX_URL="+joined)
	}
	if len(links) > 0 {
		env = append(env, "UV_FIND_LINKS="+strings.Join(links, ","), "PIP_FIND_LINKS="+strings.Join(links, " "))
	}
	return env
}

// hosts are the domains that a cell must reach to use the indexes directly.
func (s indexes) hosts() []string {
	out := []string{fileHost}
	for _, i := range slices.Concat(s.list, s.links) {
		if i.relay == "" {
			out = append(out, allowHost(i.url))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// allowHost is the host of u as a network policy names it.
func allowHost(u *url.URL) string {
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return net.JoinHostPort(u.Hostname(), port)
	}
	return u.Hostname()
}

// pipConfig reads the [global] and [install] sections of pip's configuration
// files, later files over earlier ones.
func pipConfig(getenv func(string) string) map[string]string {
	home, xdg := getenv("HOME"), getenv("XDG_CONFIG_HOME")
	paths := []string{"/etc/pip.conf"}
	if home != "" {
		paths = append(paths, filepath.Join(home, ".pip", "pip.conf"), filepath.Join(firstOf(xdg, filepath.Join(home, ".config")), "pip", "pip.conf"))
	}
	if file := getenv("PIP_CONFIG_FILE"); file != "" {
		paths = append(paths, file)
	}
	conf := map[string]string{}
	for _, p := range paths {
		readPipConfig(p, conf)
	}
	return conf
}

// readPipConfig adds what one file says; indented lines continue a value.
func readPipConfig(path string, conf map[string]string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	section, key := "", ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			section, key = strings.Trim(line, "[]"), ""
			continue
		}
		if section != "global" && section != "install" {
			continue
		}
		if first := lines.Text()[0]; (first == ' ' || first == '\t') && key != "" {
			conf[key] = strings.TrimSpace(conf[key] + " " + line)
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		key = strings.ReplaceAll(strings.TrimSpace(name), "_", "-")
		conf[key] = strings.TrimSpace(value)
	}
}
