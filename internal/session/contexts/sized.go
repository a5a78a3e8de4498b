package contexts

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// sized is how drivers are asked whose languages read no JSON: one line with an id,
// the count of the execution and the sizes of texts, and after it the texts. The
// first is the code, then come names and values of variables.
func sized(id string, count int, texts ...string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s %d", id, count)
	for _, text := range texts {
		fmt.Fprintf(&out, " %d", len(text))
	}
	out.WriteByte('\n')
	for _, text := range texts {
		out.WriteString(text)
	}
	return out.Bytes()
}

func sizedRequest(id string, count int, r api.CodeRequest) ([]byte, error) {
	texts := []string{r.Code}
	for _, name := range slices.Sorted(maps.Keys(r.Env)) {
		if name == "" || strings.Contains(name, "=") {
			return nil, api.Errorf(api.RequestInvalid, "%q is no name of a variable", name)
		}
		texts = append(texts, name, r.Env[name])
	}
	if slices.ContainsFunc(texts, func(text string) bool { return strings.ContainsRune(text, 0) }) {
		return nil, api.Errorf(api.RequestInvalid, "the code or a variable has a NUL")
	}
	return sized(id, count, texts...), nil
}

// sizedGreeting is a request without code.
func sizedGreeting(id string) []byte { return sized(id, 0) }
