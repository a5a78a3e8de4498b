package scope

import (
	"context"
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// weigh returns the bytes that a submission makes the host keep, and refuses
// files that are more, laid out, than the cell could hold: a list can name the
// same bytes a thousand times, and so can the manifest of a directory.
func (s *Scope) weigh(ctx context.Context, sub api.Submission, task *api.Task) (int64, error) {
	w := weigher{ctx, s, map[string]int64{}, s.task.Resources.WithDefaults().Disk}
	size := int64(0)
	for _, p := range task.Signature.Inputs {
		text, err := w.input(&sub, p)
		if err != nil {
			return 0, err
		}
		size += int64(text)
	}
	if sub.Task != nil {
		definition, err := json.Marshal(sub.Task)
		if err != nil {
			return 0, api.Errorf(api.Internal, "encode task %s: %w", sub.Task.Name, err)
		}
		size += int64(len(definition))
	}
	return size, nil
}

// weigher sums files as they are laid out.
type weigher struct {
	ctx   context.Context
	scope *Scope
	sizes map[string]int64 // by digest
	left  int64
}

// input weighs an input, and returns the bytes of its text.
func (w *weigher) input(sub *api.Submission, p value.Param) (int, error) {
	if text, ok := sub.Checked.ValueJSON(p.Name, p.Type); ok && !sub.Checked.HoldsFiles(p.Name) {
		return len(text), nil
	}
	v, ok := sub.Checked.Value(p.Name)
	if !ok {
		v, ok = sub.Inputs[p.Name]
	}
	if !ok {
		var err error
		if v, _, err = p.DefaultValue(); err != nil {
			return 0, api.BadValue(api.InvalidTask, "default of input", p.Name, err)
		}
	}
	if _, err := value.MapFiles(v, w.add); err != nil {
		return 0, err
	}
	text, err := value.EncodeJSON(value.Type{Kind: value.KindAny}, v)
	if err != nil {
		return 0, api.BadValue(api.InvalidInput, "input", p.Name, err)
	}
	return len(text), nil
}

// add takes the size from the store: what a value says of it is a claim.
func (w *weigher) add(file any) (any, error) {
	ref, _ := value.RefOf(file)
	size, ok := w.sizes[ref.SHA256]
	if !ok {
		var err error
		if size, err = w.sizeOf(file, ref.SHA256); err != nil {
			return nil, err
		}
		w.sizes[ref.SHA256] = size
	}
	if w.left -= size; w.left < 0 {
		limit := w.scope.task.Resources.WithDefaults().Disk
		return nil, api.Errorf(api.LimitExceeded, "the files of the inputs have more than %d bytes, which is what the cell that hands them over can hold", limit).
			WithHint("raise resources.disk of the task that starts the run, or hand over less").
			WithDetails(api.Details{Field: "resources.disk", Limit: limit})
	}
	return file, nil
}

func (w *weigher) sizeOf(file any, digest string) (int64, error) {
	if _, ok := file.(value.Dir); ok {
		return w.scope.engine.TreeSize(w.ctx, digest)
	}
	r, size, err := w.scope.engine.OpenBlob(w.ctx, digest)
	if err != nil {
		return 0, err
	}
	return size, r.Close()
}
