package py

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Pieces cuts a source that is still being written into pieces for a Console, a
// statement of the module each: those that are ready, because nothing that
// follows can change them, and the rest, to be given again with more text behind
// it. complete says that no more comes; then all is ready, what is no statement
// included. Each piece begins with empty lines, so that its lines have the
// numbers that they have in the source.
func Pieces(source string, complete bool) (ready []string, rest string) {
	source = endLines(source, complete)
	read := source
	if !complete {
		read = source[:strings.LastIndexByte(source, '\n')+1]
	}
	ends, open := syntax.Ends(read)
	if open && !complete && !syntax.Begins(source[len(read):]) {
		ends = ends[:len(ends)-1]
	}
	from, before := 0, ""
	for _, end := range ends {
		ready = append(ready, before+source[from:end])
		before += strings.Repeat("\n", strings.Count(source[from:end], "\n"))
		from = end
	}
	rest = before + source[from:]
	if complete && !onlyComments(rest) {
		return append(ready, rest), ""
	}
	if complete {
		return ready, ""
	}
	return ready, rest
}

// endLines makes all line ends alike. A carriage return at the very end may be
// half of one.
func endLines(source string, complete bool) string {
	source = strings.TrimPrefix(source, "\ufeff")
	last := ""
	if !complete && strings.HasSuffix(source, "\r") {
		source, last = source[:len(source)-1], "\r"
	}
	if strings.IndexByte(source, '\r') >= 0 {
		source = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source)
	}
	return source + last
}

func onlyComments(source string) bool {
	for line := range strings.Lines(source) {
		if line = strings.TrimLeft(line, " \t\f\n"); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}
