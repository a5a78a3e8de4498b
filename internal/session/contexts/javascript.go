package contexts

import (
	_ "embed"
	"io"

	"github.com/glovebox-dev/glovebox/api"
)

// javascript is Node, for code in JavaScript or with types.
type javascript struct {
	typed bool
}

//go:embed javascript/driver.js
var javascriptSource string

// Programs that the code starts must not write where events go, so these have a
// descriptor of their own.
func (javascript) argv() []string {
	return program("node", "Node.js (in Debian: nodejs)", `exec 3>&1 1>&2; exec node -e "$0"`, javascriptSource)
}

func (d javascript) opening(id string) ([]byte, error) {
	return jsonLine(map[string]any{"id": id, "line": maxLine, "between": maxBetween, "typed": d.typed})
}

func (javascript) greeting(id string) []byte { return python{}.greeting(id) }

func (javascript) request(id string, count int, r api.CodeRequest) ([]byte, error) {
	return python{}.request(id, count, r)
}

func (javascript) listen(greeting string, deliver func(message) error) (stdout, stderr io.Writer) {
	return python{}.listen(greeting, deliver)
}
