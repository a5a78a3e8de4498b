package compose

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"

	"github.com/compose-spec/compose-go/v2/dotenv"
	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// Bounds on a file of variables. Each can repeat those above it, so few of them
// can make a long text.
const (
	maxEnvFile    = 64 << 10 // bytes
	maxReferences = 16
)

// envFiles reads the path of a file, or a list of them; later ones count more.
func (r *reader) envFiles(out map[string]string, n yamlfile.Node) {
	if _, list := n.(*ast.SequenceNode); !list {
		r.envFile(out, n, true)
		return
	}
	for _, item := range r.Items(n, "env_file") {
		if _, mapping := item.(ast.MapNode); mapping {
			r.envFileOf(out, item)
			continue
		}
		r.envFile(out, item, true)
	}
}

// envFileOf reads {path, required}.
func (r *reader) envFileOf(out map[string]string, n yamlfile.Node) {
	path, required := n, true
	r.Object(n, "env_file", yamlfile.Fields{
		"path":     func(n yamlfile.Node) { path = n },
		"required": func(n yamlfile.Node) { required = r.text(n) != "false" },
	})
	r.envFile(out, path, required)
}

func (r *reader) envFile(out map[string]string, n yamlfile.Node, required bool) {
	path := r.local(n)
	if r.Err != nil {
		return
	}
	text, err := readText(r.root, path, maxEnvFile+1)
	if !required && errors.Is(err, fs.ErrNotExist) {
		return
	}
	var more map[string]string
	if err == nil {
		more, err = parseEnvFile(text, r.lookup)
	}
	if err != nil {
		r.Fail(n, "read env_file %s: %s", path, err).WithHint("give lines of NAME=VALUE, in a file within the directory of the compose file")
		return
	}
	maps.Copy(out, more)
}

// parseEnvFile reads lines of NAME=VALUE as Docker does. Errors show nothing of
// the values.
func parseEnvFile(text []byte, lookup Lookup) (map[string]string, error) {
	if len(text) > maxEnvFile {
		return nil, fmt.Errorf("it is larger than %d KiB", maxEnvFile>>10)
	}
	if bytes.Count(text, []byte("$")) > maxReferences {
		return nil, fmt.Errorf("it has more than %d signs $", maxReferences)
	}
	ended := bytes.NewReader(append(text, '\n')) // a name alone counts only with a line end
	out, err := dotenv.ParseWithLookup(ended, dotenv.LookupFn(lookup))
	if err == nil {
		return out, nil
	}
	line, _, known := strings.Cut(err.Error(), ":")
	if !known || !strings.HasPrefix(line, "line ") {
		line = "a line"
	}
	return nil, fmt.Errorf("%s of it is no NAME=VALUE", line)
}
