package traceback

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
)

// How CPython since 3.11 frames an exception group that nothing has caught, and
// the exceptions in it.
const (
	groupHeader = "  + Exception Group " + Header
	groupBorder = "  | "
	groupMember = "  +-+-"
	groupEnd    = "    +------------------------------------"
)

// parseGroup reads the traceback of an exception group, which begins with its
// header. The frames are those of the group itself; the traceback has the
// exceptions in it too.
func (p *parser) parseGroup(lines []string) (x *api.Exception, last bool) {
	members := slices.IndexFunc(lines, func(s string) bool { return strings.HasPrefix(s, groupMember) })
	end := slices.Index(lines, groupEnd)
	if members < 0 || end < members {
		return nil, false
	}
	own := make([]string, 0, members)
	for _, line := range lines[1:members] {
		own = append(own, strings.TrimPrefix(line, groupBorder))
	}
	first := slices.IndexFunc(own, func(s string) bool { return !strings.HasPrefix(s, "  ") })
	if first < 0 {
		return nil, false
	}
	match := exceptionLine().FindStringSubmatch(own[first])
	if match == nil {
		return nil, false
	}
	for _, line := range own[:first] {
		p.line(line)
	}
	x = p.exception(match[1], strings.Join(append([]string{match[2]}, own[first+1:]...), "\n"))
	x.Traceback = streams.Clean(x.Traceback+userLines(lines[members:end+1]), streams.ExcerptBytes)
	return x, end == len(lines)-1
}

// memberBorder is in front of every line of an exception in a group.
var memberBorder = lazyregexp.New(`^ +\| `)

// userLines leaves the frames out that are not in the user's code.
func userLines(lines []string) string {
	var kept strings.Builder
	skip := false
	for _, line := range lines {
		text := strings.TrimPrefix(line, memberBorder().FindString(line))
		if match := frameLine().FindStringSubmatch(text); match != nil {
			skip = !userFile(match[1])
		} else if !strings.HasPrefix(text, "    ") {
			skip = false
		}
		if !skip {
			kept.WriteString(strings.Replace(line, `  File "`+layout.Work+"/", `  File "`, 1) + "\n")
		}
	}
	return kept.String()
}
