package machine

import "html"

// maxEntity bounds the name of a character of HTML; the longest has 32 letters.
const maxEntity = 64

// defineHTML defines the module _html: the names of characters, of which Go's
// library has the table.
func defineHTML(r *registry) {
	r.nativeModule("_html", func(mod *moduleMaker) {
		mod.counted("entity", 1, 1, func(m *Machine, a Args) (Value, error) {
			s, err := wantStr(a.v[0], "a name is text")
			if err != nil {
				return Value{}, err
			}
			if len(s.s) > maxEntity*4 {
				return m.str("&" + s.s)
			}
			if err := m.Work(8 * len(s.s)); err != nil {
				return Value{}, err
			}
			return m.str(html.UnescapeString("&" + s.s))
		})
	})
}
