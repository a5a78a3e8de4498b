package page

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// A page shows code whole up to maxShownLines, of longer code what is around the line
// that matters.
const (
	maxShownLines = 400
	around        = 60
)

// source is code with its lines marked.
type source struct {
	Name    string
	Command []string // instead of code
	Lines   []line
	Cut     bool
	Total   int
	mark    int // the line that matters most, or 0
}

type line struct {
	Number int
	Text   string
	Failed bool   // an exception came through it
	Waits  bool   // it calls what the run waits for
	Note   string // what the checker or the exception says of it
}

// newSource marks the lines of a task that failed, and that the checker has something to
// say about.
func newSource(task *api.Task, w *why) *source {
	s := &source{Name: task.SourceName(), Command: task.Command}
	if task.Code == "" {
		if len(task.Command) == 0 {
			return nil
		}
		return s
	}
	text := strings.TrimSuffix(task.Code, "\n")
	for i, t := range strings.Split(text, "\n") {
		s.Lines = append(s.Lines, line{Number: i + 1, Text: visible(t)})
	}
	s.Total = len(s.Lines)
	s.mark = s.markFailure(w)
	return s
}

// markWaits marks lines by their numbers, and those that call some tools.
func (s *source) markWaits(numbers []int, tools []string) {
	for i := range s.Lines {
		if l := &s.Lines[i]; slices.Contains(numbers, l.Number) || calls(l.Text, tools) {
			l.Waits, s.mark = true, l.Number
		}
	}
}

// cut leaves of the code what a page shows.
func (s *source) cut() {
	first := 0 // functions of files have empty lines in the place of what was above them
	for first < len(s.Lines)-1 && s.Lines[first].Text == "" {
		first++
	}
	s.Lines = s.Lines[min(first, len(s.Lines)):]
	s.window(s.mark - first)
}

// markFailure returns the number of the line where the code failed, or 0.
func (s *source) markFailure(w *why) int {
	if w == nil {
		return 0
	}
	last := 0
	if w.Exception != nil {
		for _, f := range w.Exception.Frames {
			if f.File == s.Name && f.Line >= 1 && f.Line <= len(s.Lines) {
				s.Lines[f.Line-1].Failed = true
				last = f.Line
			}
		}
		if last > 0 {
			s.Lines[last-1].Note = visible(w.Exception.Type + ": " + w.Exception.Message)
		}
	}
	for _, p := range w.Problems {
		if p.Line >= 1 && p.Line <= len(s.Lines) {
			l := &s.Lines[p.Line-1]
			l.Failed = l.Failed || p.Level != "warning"
			l.Note = strings.TrimPrefix(l.Note+"; "+visible(p.Message), "; ")
			last = p.Line
		}
	}
	return last
}

// markSleep marks the line that sleeps, if only one can be it.
func (s *source) markSleep() {
	var found []*line
	for i := range s.Lines {
		if calls(s.Lines[i].Text, []string{"sleep"}) {
			found = append(found, &s.Lines[i])
		}
	}
	if len(found) == 1 {
		found[0].Waits = true
	}
}

// calls reports whether a line calls one of some tools.
func calls(text string, tools []string) bool {
	for _, tool := range tools {
		name := tool[strings.LastIndexByte(tool, '.')+1:]
		if strings.Contains(text, name) && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\s*\(`).MatchString(text) {
			return true
		}
	}
	return false
}

// window leaves of long code what is around a line.
func (s *source) window(mark int) {
	if len(s.Lines) <= maxShownLines {
		return
	}
	from := max(0, mark-1-around)
	s.Lines, s.Cut = s.Lines[from:min(len(s.Lines), from+maxShownLines)], true
}

// code sends the code of a run, to be stored.
func (p *Page) code(w http.ResponseWriter, r *http.Request) error {
	task, err := p.Service.RunTask(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return send(w, task.SourceName(), strings.NewReader(task.Code), int64(len(task.Code)))
}
