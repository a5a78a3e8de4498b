package modules

import (
	"html"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
)

// maxEntity bounds the name of a character of HTML; the longest has 32 letters.
const maxEntity = 64

// defineHTML defines the module _html: the names of characters, of which Go's
// library has the table.
func defineHTML(r *machine.Registry) {
	r.Module("_html", func(mod *machine.ModuleBuilder) {
		mod.Counted("entity", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			s, err := machine.WantStr(a.Arg(0), "a name is text")
			if err != nil {
				return machine.Value{}, err
			}
			if len(s.Text()) > maxEntity*4 {
				return m.Str("&" + s.Text())
			}
			if err := m.Work(8 * len(s.Text())); err != nil {
				return machine.Value{}, err
			}
			return m.Str(html.UnescapeString("&" + s.Text()))
		})
	})
}
