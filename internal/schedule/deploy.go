package schedule

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// The bounds of schedules.
const (
	maxName        = 128 // bytes
	maxSchedules   = 1000
	maxInputs      = 64 << 10 // bytes of JSON
	maxCatchUp     = 1000
	defaultCatchUp = 10
	maxKey         = 64 // bytes
)

// wrong is the error of a definition.
func wrong(field, got, expected string) *api.Error {
	return api.AsError(api.WrongField(field, got, expected))
}

// PrepareDeployment checks the schedules of a deployment, and returns what stores
// them.
func (s *Service) PrepareDeployment(ctx context.Context, d *api.Deployment) (commit func(context.Context) error, err error) {
	if len(d.Schedules) > maxSchedules {
		return nil, wrong("schedules", strconv.Itoa(len(d.Schedules))+" schedules", "at most "+strconv.Itoa(maxSchedules))
	}
	specs := slices.Clone(d.Schedules)
	seen := map[string]bool{}
	for i := range specs {
		spec := &specs[i]
		if seen[spec.Name] {
			return nil, wrong(fmt.Sprintf("schedules[%d].name", i), strconv.Quote(spec.Name)+", as another one is", "a name for each schedule")
		}
		seen[spec.Name] = true
		if err := s.check(ctx, d, spec); err != nil {
			e := *api.AsError(err)
			e.Message = "schedule " + value.Shorten(spec.Name, maxName) + ": " + e.Message
			return nil, &e
		}
	}
	return func(ctx context.Context) error {
		return untilInSequence(func() error { return s.put(ctx, d.Environment, specs) })
	}, nil
}

// check holds a schedule to its promises, and to the inputs of its task.
func (s *Service) check(ctx context.Context, d *api.Deployment, spec *api.ScheduleSpec) error {
	if !catalog.ValidName(spec.Name) {
		return wrong("name", fmt.Sprintf("%.200q", spec.Name), "at most 128 letters, digits, '.', '_' and '-', not beginning with '-'")
	}
	if err := checkPolicies(spec); err != nil {
		return err
	}
	c, err := parse(spec)
	if err != nil {
		return err
	}
	if now := s.now(); c.following(now).IsZero() {
		return wrong("cron", value.Quote(spec.Cron), "a time that comes within five years")
	}
	signature, err := s.signature(ctx, d, spec.Task)
	if err != nil {
		return err
	}
	_, err = decodeInputs(signature, spec, s.now())
	return err
}

func checkPolicies(spec *api.ScheduleSpec) error {
	switch {
	case !slices.Contains([]api.CatchUp{"", api.CatchUpSkip, api.CatchUpLast, api.CatchUpAll}, spec.CatchUp):
		return wrong("catch_up", value.Quote(value.Shorten(string(spec.CatchUp), maxName)), "skip, last or all")
	case !slices.Contains([]api.Overlap{"", api.OverlapSkip, api.OverlapAllow, api.OverlapCancel}, spec.Overlap):
		return wrong("overlap", value.Quote(value.Shorten(string(spec.Overlap), maxName)), "skip, allow or cancel")
	case spec.CatchUp == api.CatchUpAll && spec.Overlap != api.OverlapAllow:
		return wrong("overlap", strconv.Quote(string(spec.Overlap)), "allow, beside catch_up: all").
			WithHint("several times are started at once after a pause of the server; say overlap: allow, or catch_up: last")
	case spec.MaxCatchUp < 0 || spec.MaxCatchUp > maxCatchUp:
		return wrong("max_catch_up", strconv.Itoa(spec.MaxCatchUp), "1 to "+strconv.Itoa(maxCatchUp))
	case spec.MaxCatchUp > 0 && spec.CatchUp != api.CatchUpAll:
		return wrong("max_catch_up", strconv.Itoa(spec.MaxCatchUp), "nothing, unless catch_up is all")
	}
	return nil
}

// signature is that of the task of a schedule, which may be deployed with it.
func (s *Service) signature(ctx context.Context, d *api.Deployment, ref string) (api.Signature, error) {
	for i := range d.Tasks {
		if d.Tasks[i].Name == ref {
			return d.Tasks[i].Signature, nil
		}
	}
	version, err := s.config.Task(ctx, ref)
	if err != nil {
		return api.Signature{}, err
	}
	return version.Signature, nil
}

// decodeInputs reads inputs as a task declares them, for a start that stands for a
// time.
func decodeInputs(signature api.Signature, spec *api.ScheduleSpec, planned time.Time) (value.Fields, error) {
	if len(spec.Inputs) > maxInputs {
		return value.Fields{}, wrong("inputs", strconv.Itoa(len(spec.Inputs))+" bytes of JSON", "at most "+strconv.Itoa(maxInputs))
	}
	text := spec.Inputs
	if len(text) == 0 {
		text = json.RawMessage("{}")
	}
	params, moment, err := timeInput(signature.Inputs, spec.TimeInput, planned)
	if err != nil {
		return value.Fields{}, err
	}
	fields, err := value.Decode("input", params, text)
	if err != nil {
		return fields, api.AsError(err)
	}
	if fields.HoldFiles() { // those of defaults are kept with the task
		return fields, wrong("inputs", "files", "values that are no files").WithHint("let the task fetch what it reads, or start it with glovebox start")
	}
	if fields, err = fields.Complete(params); err != nil {
		return fields, api.AsError(err)
	}
	if spec.TimeInput == "" {
		return fields, nil
	}
	all := fields.Map()
	all[spec.TimeInput] = moment
	return value.CheckOwned(signature.Inputs, all)
}

// timeInput returns the inputs beside the one that gets the planned time, and what
// that gets.
func timeInput(params []value.Param, name string, planned time.Time) (rest []value.Param, moment any, err error) {
	if name == "" {
		return params, nil, nil
	}
	i := slices.IndexFunc(params, func(p value.Param) bool { return p.Name == name })
	if i < 0 {
		return nil, nil, wrong("time_input", value.Quote(value.Shorten(name, maxName)), "the name of an input of the task")
	}
	rest = slices.Delete(slices.Clone(params), i, i+1)
	switch at := value.AwareDateTime(planned.UTC()); params[i].Type.Kind {
	case value.KindDateTime:
		return rest, at, nil
	case value.KindStr:
		return rest, at.String(), nil
	}
	return nil, nil, wrong("time_input", strconv.Quote(name)+", which is declared "+params[i].Type.String(), "an input that is declared datetime or str")
}

// put stores schedules as they are deployed, and forgets others of the environment.
func (s *Service) put(ctx context.Context, environment string, specs []api.ScheduleSpec) error {
	records, err := s.config.Store.Schedules(ctx)
	if err != nil {
		return api.AsError(err)
	}
	known, remove := map[string]*journal.ScheduleRecord{}, []string{}
	for i, r := range records {
		known[r.Name] = &records[i]
		mine := environment != "" && r.Environment == environment
		if mine && !slices.ContainsFunc(specs, func(spec api.ScheduleSpec) bool { return spec.Name == r.Name }) {
			remove = append(remove, r.Name)
		}
	}
	var changed []journal.ScheduleRecord
	for _, spec := range specs {
		if r := s.deployed(known[spec.Name], environment, spec); r != nil {
			changed = append(changed, *r)
		}
	}
	if len(changed) == 0 && len(remove) == 0 {
		return nil
	}
	return s.config.Store.PutSchedules(ctx, changed, remove)
}

// deployed returns a schedule as it is after a deployment; nil if nothing changes.
// Whether somebody paused it stays, unless the definition says something new.
func (s *Service) deployed(old *journal.ScheduleRecord, environment string, spec api.ScheduleSpec) *journal.ScheduleRecord {
	now, declared := s.now(), spec.Paused
	r := journal.ScheduleRecord{Schedule: api.Schedule{Created: now}}
	if old != nil {
		r = *old
		if declared == old.DeclaredPaused {
			spec.Paused = old.Paused
		}
		if declared == old.DeclaredPaused && environment == old.Environment && same(spec, old.ScheduleSpec) {
			return nil
		}
	}
	before := r.ScheduleSpec
	r.ScheduleSpec, r.Environment, r.Changed, r.DeclaredPaused = spec, environment, now, declared
	r.Seq++
	if r.Paused {
		r.Next = time.Time{}
	} else if c, err := parse(&spec); err == nil && (before.Cron != spec.Cron || before.Zone != spec.Zone || before.Paused || r.Next.IsZero() || !before.End.Equal(spec.End)) {
		r.Next = c.next(now)
	}
	return &r
}

// same compares definitions as they are stored.
func same(a, b api.ScheduleSpec) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}
