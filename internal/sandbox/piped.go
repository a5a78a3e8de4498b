package sandbox

import (
	"bytes"

	"github.com/glovebox-dev/glovebox/api"
)

// piped is what came from the interpreter on its control stream: the report of
// the runner, behind whatever code has written there.
type piped struct {
	limit int64
	text  []byte
	total int64
}

// Write keeps what the limit lets it and never fails.
func (p *piped) Write(data []byte) (int, error) {
	p.total += int64(len(data))
	room := max(0, p.limit-int64(len(p.text)))
	p.text = append(p.text, data[:min(room, int64(len(data)))]...)
	return len(data), nil
}

// report returns the last line, which is what the runner writes at once; nil if
// there is none.
func (p *piped) report() ([]byte, error) {
	if p.total > p.limit {
		return nil, api.Errorf(api.OutputTooLarge, "the outputs have at least %d bytes, more than the limit of %d", p.total, p.limit).
			WithHint("write large data to a File or a DataFrame").WithDetails(api.Details{Limit: p.limit, Peak: p.total})
	}
	line := p.text[bytes.LastIndexByte(p.text, '\n')+1:]
	if len(line) == 0 {
		return nil, nil
	}
	return line, nil
}

// succeeded reports whether there is a report of code that ran to its end.
func (p *piped) succeeded() bool {
	line, err := p.report()
	return err == nil && bytes.HasPrefix(line, []byte(`{"ok":true,`)) && line[len(line)-1] == '}'
}
