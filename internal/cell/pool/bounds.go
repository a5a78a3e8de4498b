package pool

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// checkAsk says why n items of a class cannot be kept, in terms of the request.
// What was measured of memory counts; what was not is tried.
func (p *Pool[T]) checkAsk(class cell.Class, n int) error {
	if n < 0 || n > p.cfg.Cells {
		return p.beyond(n, fmt.Sprintf("0 to %d", p.cfg.Cells), "at most %d cells are kept warm here", p.cfg.Cells)
	}
	cells, memory := 0, int64(0)
	for other, s := range p.shelves {
		if other != class {
			cells += s.asked
			memory += int64(s.asked) * s.measured()
		}
	}
	if cells+n > p.cfg.Cells && n > 0 {
		return p.beyond(n, fmt.Sprintf("at most %d", p.cfg.Cells-cells),
			"of the %d cells that are kept warm here at most, %d are kept for others", p.cfg.Cells, cells)
	}
	s, ok := p.shelves[class]
	if !ok || s.measured() == 0 || n == 0 {
		return nil
	}
	if left := p.cfg.Memory - memory; int64(n) > left/s.measured() {
		return p.beyond(n, fmt.Sprintf("at most %d", max(0, left/s.measured())),
			"warm cells may hold %s here; others hold %s, and one of these holds %s", size(p.cfg.Memory), size(memory), size(s.measured()))
	}
	return nil
}

func (p *Pool[T]) beyond(n int, expected, format string, args ...any) error {
	return api.Errorf(api.Conflict, "%d cells cannot be kept warm: "+format, append([]any{n}, args...)...).
		WithHint("keep fewer, take back what is kept for others, or raise the bound of the cells that are kept warm").
		WithDetails(api.Details{Field: "cells", Got: fmt.Sprint(n), Expected: expected})
}

// noRoom is why a shelf has no item though some were asked for.
func (p *Pool[T]) noRoom(s *shelf[T]) error {
	if s.asked == 0 {
		return api.Errorf(api.Conflict, "the request to keep cells warm was taken back while the first was being started")
	}
	return p.beyond(s.asked, "less", "warm cells may hold %s here together, and one of these needs about %s; there is room for %d",
		size(p.cfg.Memory), size(s.cost(p.cfg)), s.target)
}

// measured is what an item of the shelf was seen to hold; 0 if none was.
func (s *shelf[T]) measured() int64 {
	most := s.memory
	for _, e := range s.idle {
		most = max(most, e.memory)
	}
	return most
}

func size(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20)) }
