package check

import "github.com/glovebox-dev/glovebox/py/syntax"

// eachPattern calls f for a pattern and then for those inside it, in the order of
// the source.
func eachPattern(p syntax.Pattern, f func(syntax.Pattern)) {
	if p == nil {
		return
	}
	f(p)
	switch p := p.(type) {
	case *syntax.SequencePattern:
		eachOf(p.Items, f)
	case *syntax.OrPattern:
		eachOf(p.Items, f)
	case *syntax.MappingPattern:
		eachOf(p.Patterns, f)
	case *syntax.ClassPattern:
		eachOf(p.Items, f)
		eachOf(p.Keywords, f)
	case *syntax.AsPattern:
		eachPattern(p.Pattern, f)
	}
}

func eachOf(list []syntax.Pattern, f func(syntax.Pattern)) {
	for _, p := range list {
		eachPattern(p, f)
	}
}
