package contexts

import (
	_ "embed"
	"io"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// bash is a shell whose variables, functions and directory stay. It writes no
// JSON: what the code writes is on its streams as it is, between marks that the
// shell writes on both.
type bash struct {
	generation string
}

//go:embed bash/driver.sh
var bashSource string

// The shell is interactive, because an interrupt then ends what it does, and not
// itself.
func (bash) argv() []string { return []string{"bash", "--noprofile", "--norc", "--noediting", "-i"} }

func (d bash) opening(id string) ([]byte, error) {
	return []byte(strings.ReplaceAll(bashSource, "GENERATION", quoted(d.generation)) + string(d.greeting(id))), nil
}

var variable = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// request has lines for the shell. An interrupt takes the rest of the first; the
// last is there twice, because one may come as late as that.
func (bash) request(id string, _ int, r api.CodeRequest) ([]byte, error) {
	var out strings.Builder
	out.WriteString("__glovebox_begin " + id + "; ")
	for name, value := range r.Env {
		if !variable().MatchString(name) {
			return nil, api.Errorf(api.RequestInvalid, "%q is no name of a variable", name)
		}
		out.WriteString(name + "=" + quoted(value) + " ")
	}
	out.WriteString("eval " + quoted(r.Code) + " </dev/null; __glovebox_status=$?\n")
	out.WriteString(strings.Repeat("__glovebox_end "+id+"\n", 2))
	if strings.ContainsRune(out.String(), 0) {
		return nil, api.Errorf(api.RequestInvalid, "bash cannot run code with a NUL")
	}
	return []byte(out.String()), nil
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (bash) greeting(id string) []byte { return []byte("__glovebox_mark " + id + " ready\n") }

func (bash) listen(_ string, deliver func(message) error) (stdout, stderr io.Writer) {
	return newMarks(deliver, 0).streams()
}
