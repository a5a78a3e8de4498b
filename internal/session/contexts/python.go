package contexts

import (
	"embed"
	"encoding/json"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// python is Python, with IPython unless it is plain or the image has none.
type python struct {
	plain      bool
	generation string
}

//go:embed python/*.py
var pythonSource embed.FS

// boot is the part that loads all others.
const boot = "boot"

var pythonParts = sync.OnceValue(func() map[string]string {
	parts := map[string]string{}
	files, _ := fs.Glob(pythonSource, "python/*.py")
	for _, file := range files {
		text, _ := pythonSource.ReadFile(file)
		parts[strings.TrimSuffix(strings.TrimPrefix(file, "python/"), ".py")] = string(text)
	}
	return parts
})

func (python) argv() []string { return []string{"python3", "-c", pythonParts()[boot]} }

func (d python) opening(id string) ([]byte, error) {
	return jsonLine(map[string]any{"id": id, "parts": pythonParts(), "plain": d.plain, "line": maxLine, "between": maxBetween, "generation": d.generation})
}

func (python) request(id string, count int, r api.CodeRequest) ([]byte, error) {
	env := r.Env
	if env == nil {
		env = map[string]string{}
	}
	return jsonLine(map[string]any{"id": id, "count": count, "code": r.Code, "env": env})
}

func (python) greeting(id string) []byte {
	line, _ := jsonLine(map[string]string{"id": id, "greeting": ""})
	return line
}

func (python) listen(greeting string, deliver func(message) error) (stdout, stderr io.Writer) {
	return &lines{greeting: greeting, deliver: deliver}, io.Discard
}

func jsonLine(v any) ([]byte, error) {
	line, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(line, '\n'), nil
}
