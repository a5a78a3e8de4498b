package machine

import (
	"strings"
)

// Exception is an uncaught exception of a program, as the host sees it.
type Exception struct {
	Class   string
	Classes []string // the class and those that it derives from; of bundled modules with the module
	Message string
	Key     string // of a KeyError, if it is a str: Message has quotes around it
	Lines   []Line // where it was raised, outermost first
	Cause   *Exception
}

// Line is a place in the program.
type Line struct {
	File     string // the name of the source
	Function string // "<module>" at the top
	Line     int    // from 1
	Text     string // the source, trimmed
	Span     *Span  // of a session, where it is known
}

// Error is the last line of the traceback.
func (e *Exception) Error() string {
	if e.Message == "" {
		return e.Class
	}
	return e.Class + ": " + e.Message
}

// maxMessage bounds the message that a host is given, in bytes.
const maxMessage = 16 << 10

// describe makes what the host sees of an exception.
func (m *Machine) describe(v Value) *Exception { return m.describeDepth(v, 0) }

func (m *Machine) describeDepth(v Value, depth int) *Exception {
	o := v.Instance()
	if o == nil {
		return &Exception{Class: TypeName(v)}
	}
	e := &Exception{Class: o.class.qualName, Classes: o.class.hostNames(), Message: m.message(o), Key: m.keyOf(o)}
	if o.trouble == nil {
		return e
	}
	for i := len(o.trouble.lines) - 1; i >= 0; i-- {
		l := o.trouble.lines[i]
		e.Lines = append(e.Lines, Line{
			l.unit.mod.code.Name, l.unit.code.QualName, int(l.line), l.unit.mod.line(int(l.line)), l.span(),
		})
	}
	if o.trouble.cause.Bound() && depth < 8 {
		e.Cause = m.describeDepth(o.trouble.cause, depth+1)
	}
	return e
}

// keyOf is the key of a KeyError, if it is a str.
func (m *Machine) keyOf(o *Instance) string {
	args := o.payload.Tuple()
	if args == nil || len(args.items) != 1 || args.items[0].Str() == nil || !m.isException(o.value(), exceptions["KeyError"]) {
		return ""
	}
	return cut(args.items[0].Str().s)
}

func cut(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage], "") + "..."
}

// message is str(exception), or what can be said without running code of the
// program.
func (m *Machine) message(o *Instance) string {
	m.budget, m.portion = portionSteps, portionSteps
	s, err := m.strException(o)
	if err != nil {
		s, err = m.ReprNative(o.payload)
	}
	if err != nil {
		s = "<the message cannot be shown>"
	}
	return cut(s)
}

// line returns line n of the module's source.
func (mod *Module) line(n int) string {
	rest := mod.code.Source
	for ; n > 1; n-- {
		at := strings.IndexByte(rest, '\n')
		if at < 0 {
			return ""
		}
		rest = rest[at+1:]
	}
	if at := strings.IndexByte(rest, '\n'); at >= 0 {
		rest = rest[:at]
	}
	rest = strings.TrimSpace(rest)
	if len(rest) > 200 {
		rest = strings.ToValidUTF8(rest[:200], "")
	}
	return rest
}
