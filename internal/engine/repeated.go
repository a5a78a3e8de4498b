package engine

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// answerRefused answers a submission that the checker refuses. If it repeats a
// run that an earlier checker accepted, it gets that run, and otherwise the
// refusal.
func (e *Engine) answerRefused(ctx context.Context, sub *submission) (*api.Run, error) {
	if sub.parent != nil {
		if run, err := sub.parent.again(ctx, sub); run != nil || err != nil {
			return run, err
		}
	}
	if sub.rec.IdempotencyKey == "" {
		return nil, sub.refusal
	}
	run, err := e.repeated(ctx, sub)
	if err != nil && api.AsError(err).Code == api.NotFound {
		return nil, sub.refusal
	}
	return run, err
}

// repeated answers a submission whose idempotency key is known.
func (e *Engine) repeated(ctx context.Context, sub *submission) (*api.Run, error) {
	key := sub.rec.IdempotencyKey
	id, err := e.config.Journal.ByKey(ctx, sub.rec.Owner, key)
	if err != nil {
		return nil, journalError(key, err)
	}
	live := e.liveRun(id) != nil
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	if rec.TaskDigest != sub.rec.TaskDigest || rec.InputsDigest != sub.rec.InputsDigest {
		what := "other inputs"
		if rec.TaskDigest != sub.rec.TaskDigest {
			what = "another task"
		}
		return nil, api.Errorf(api.Conflict, "the idempotency key %q belongs to run %s, which has %s", key, id, what).
			WithHint("use another key for another run").
			WithDetails(api.Details{Field: "idempotency_key", Run: id})
	}
	if !live && (e.abandoned(rec) || rec.Status == api.StatusInterrupted) {
		run, err := e.resume(ctx, rec, api.ResumeOptions{}, sub.streams)
		if err == nil || api.AsError(err).Code != api.Conflict {
			return run, err
		}
		return e.Run(ctx, id) // another process resumes it
	}
	return e.public(ctx, rec)
}

// maxKey bounds an idempotency key.
const maxKey = 256 // bytes

func checkKey(key string) error {
	for _, c := range []byte(key) {
		if c < ' ' || c >= 0x7f {
			return api.Errorf(api.InvalidTask, "the idempotency key holds a character that is not printable ASCII").
				WithDetails(api.Details{Field: "idempotency_key"})
		}
	}
	if len(key) > maxKey {
		return api.Errorf(api.InvalidTask, "the idempotency key has %d bytes; the most is %d", len(key), maxKey).
			WithDetails(api.Details{Field: "idempotency_key", Limit: maxKey})
	}
	return nil
}
