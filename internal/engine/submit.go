package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// streams are what the caller wants to see of a run while it runs.
type streams struct {
	stdout, stderr io.Writer
	progress       func(api.Progress)
}

// Submit makes a run and returns when it is durable. A repeated idempotency key
// returns the run of the first submission, and resumes it if it was
// interrupted.
func (e *Engine) Submit(ctx context.Context, s api.Submission) (*api.Run, error) {
	sub, err := e.accept(ctx, s)
	if err != nil {
		return nil, err
	}
	if sub.refusal != nil {
		return e.answerRefused(ctx, sub)
	}
	run, err := e.begin(ctx, sub)
	if errors.Is(err, journal.ErrExists) && s.IdempotencyKey != "" {
		return e.repeated(ctx, sub)
	}
	if err != nil {
		return nil, journalError(sub.rec.ID, err)
	}
	return run, nil
}

// begin creates the run, unless an earlier attempt of the parent started the same.
func (e *Engine) begin(ctx context.Context, sub *submission) (*api.Run, error) {
	if sub.parent != nil {
		if run, err := sub.parent.again(ctx, sub); run != nil || err != nil {
			return run, err
		}
	}
	return e.create(ctx, sub)
}

// submission is an api.Submission that was checked, with the record of its run.
type submission struct {
	granted
	inputs   value.Fields // files by content
	rec      journal.Record
	blobs    []string
	streams  streams
	override api.CacheMode
	parent   *run
	refusal  error // by the checker, which refuses new runs but not those that exist
}

// accept checks a submission and takes in its files.
func (e *Engine) accept(ctx context.Context, s api.Submission) (*submission, error) {
	sub := &submission{override: s.Cache, streams: streams{s.Stdout, s.Stderr, s.Progress}}
	task, version, err := e.resolve(ctx, s)
	if err != nil {
		return nil, err
	}
	if task, err = s.Granted(task); err != nil {
		return nil, err
	}
	if err := e.Validate(task); err != nil {
		if s.IdempotencyKey == "" && s.Parent == "" || api.AsError(err).Code != api.CheckFailed {
			return nil, err
		}
		sub.refusal = err
	}
	if sub.granted, err = grant(task); err != nil {
		return nil, err
	}
	if err := s.Cache.Check(); err != nil {
		return nil, err
	}
	if err := checkKey(s.IdempotencyKey); err != nil {
		return nil, err
	}
	if err := checkGroup(s.Group); err != nil {
		return nil, err
	}
	given, err := s.CompleteInputs(sub.task.InputParams())
	if err != nil {
		return nil, err
	}
	if sub.inputs, sub.blobs, err = e.takeInputs(ctx, sub.task, given); err != nil {
		return nil, err
	}
	sub.rec, err = e.newRecord(ctx, sub)
	sub.rec.Version, sub.rec.IdempotencyKey, sub.rec.Group, sub.rec.Trigger = version, s.IdempotencyKey, s.Group, s.Trigger
	if err == nil && s.Parent != "" {
		err = e.attach(ctx, sub, s.Parent)
	}
	if err != nil {
		return sub, err
	}
	if err := sub.addLabels(s.Labels); err != nil {
		return sub, err
	}
	if err := sub.prioritize(s.Priority); err != nil {
		return sub, err
	}
	if err := e.place(sub, s.NodeSelector); err != nil {
		return sub, err
	}
	return sub, sub.addReceivers(s.Notify)
}

// addLabels lays the labels of a submission over those of its task.
func (s *submission) addLabels(ofRun map[string]string) error {
	s.rec.Labels = api.JoinLabels(s.task.Labels, ofRun)
	return api.RunLabels.Check(s.rec.Labels)
}

// prioritize gives the run its own priority, or else that of its task.
func (s *submission) prioritize(ofRun *int) error {
	if ofRun == nil {
		s.rec.Priority = s.task.Priority
		return nil
	}
	s.rec.Priority = *ofRun
	return api.CheckPriority(*ofRun)
}

// resolve finds the task of a submission, and its version if it is deployed.
func (e *Engine) resolve(ctx context.Context, s api.Submission) (task *api.Task, version string, err error) {
	switch {
	case s.Task == nil && s.Name == "", s.Task != nil && s.Name != "":
		return nil, "", api.Errorf(api.InvalidTask, "a run needs a task or the name of a deployed one, and not both").
			WithDetails(api.Details{Field: "task"})
	case s.Task != nil:
		return s.Task, "", nil
	}
	found, err := e.config.Catalog(ctx, s.Name)
	if err != nil {
		return nil, "", err
	}
	return found.Task, versionRef(found), nil
}

// attach puts the run below the one whose task asked for it.
func (e *Engine) attach(ctx context.Context, sub *submission, parent string) error {
	above, err := e.config.Journal.Load(ctx, parent)
	if err != nil {
		return journalError(parent, err)
	}
	if above.Status.Ended() {
		return api.Errorf(api.Conflict, "run %s, which is to be the parent, has ended", parent).WithDetails(api.Details{Field: "parent", Run: parent})
	}
	sub.rec.Parent, sub.rec.Root, sub.parent = parent, above.Root, e.liveRun(parent)
	sub.rec.Owner, sub.rec.Fresh = above.Owner, above.Fresh
	return nil
}

// newRecord describes a run that has not begun.
func (e *Engine) newRecord(ctx context.Context, sub *submission) (rec journal.Record, err error) {
	now := time.Now().UTC()
	rec = journal.Record{Holder: e.owner(), Fence: 1}
	rec.Run = api.Run{
		ID: NewID(now), Task: nameOf(sub.task), Kind: sub.task.KindOf(), TaskDigest: sub.digest,
		Status: api.StatusQueued, Created: now, ExitCode: -1, Labels: sub.task.Labels, Owner: api.IdentityOf(ctx).Owner,
	}
	rec.Root, rec.Approval = rec.ID, askedBy(sub.task, now, 0)
	rec.InputsPayload, err = e.payload(ctx, sub.inputs.Reader(), &sub.blobs)
	if rec.InputsPayload.Blob != "" {
		rec.InputsDigest = "sha256:" + rec.InputsPayload.Blob
	} else {
		rec.InputsDigest = sub.inputs.Digest()
	}
	return rec, err
}

func nameOf(task *api.Task) string {
	if task.Name != "" {
		return task.Name
	}
	return string(task.KindOf())
}

// payload keeps long texts out of the journal. The digest of its blob is that of
// the text.
func (e *Engine) payload(ctx context.Context, text io.Reader, blobs *[]string) (journal.Payload, error) {
	begin, err := io.ReadAll(io.LimitReader(text, journal.MaxInline+1))
	if err != nil {
		return journal.Payload{}, api.Errorf(api.Internal, "keep a value: %w", err)
	}
	if len(begin) <= journal.MaxInline {
		return journal.Payload{Inline: begin}, nil
	}
	ref, err := e.config.Blobs.Put(ctx, io.MultiReader(bytes.NewReader(begin), text), 0)
	if err != nil {
		return journal.Payload{}, blob.AsError("keeping a large value", err)
	}
	*blobs = append(*blobs, ref.Digest)
	return journal.Payload{Blob: ref.Digest}, nil
}

// takeInputs returns inputs as a run holds them, with their files taken in: a cell
// takes their JSON only.
func (e *Engine) takeInputs(ctx context.Context, task *api.Task, given value.Fields) (inputs value.Fields, blobs []string, err error) {
	inputs, blobs, err = e.takeFiles(ctx, given)
	if err == nil && task.KindOf() == api.KindSandbox {
		inputs = inputs.Written()
	}
	return inputs, append(blobs, buildContexts(task)...), err
}

// buildContexts are the build contexts of the Dockerfiles of a task and its tools:
// an image may be built long after the task was given.
func buildContexts(task *api.Task) []string {
	var digests []string
	if blob.CheckDigest(task.Image.Context) == nil {
		digests = append(digests, task.Image.Context)
	}
	for _, tool := range task.Callable() {
		digests = append(digests, buildContexts(tool)...)
	}
	return digests
}

// maxGroup bounds the name of a group, in bytes.
const maxGroup = 512

func checkGroup(name string) error {
	printable := utf8.ValidString(name) && strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if printable && len(name) <= maxGroup {
		return nil
	}
	return api.WrongField("group", value.Quote(name), fmt.Sprintf("a name of at most %d bytes in one line", maxGroup))
}
