package api

import (
	"context"
	"encoding/json"
	"time"
)

// Schedules start deployed tasks by time, while a server works on the home. They
// are made and changed by Deploy.
type Schedules interface {
	// Schedules lists all schedules by name, without their times and starts.
	Schedules(ctx context.Context) ([]Schedule, error)
	// Schedule returns a schedule with its next times and last starts.
	Schedule(ctx context.Context, name string) (*Schedule, error)
	// PauseSchedule keeps a schedule from starting anything until it is resumed.
	// To pause one that is paused changes nothing.
	PauseSchedule(ctx context.Context, name string) (*Schedule, error)
	// ResumeSchedule continues a schedule with its next time. Times that went by
	// meanwhile are not caught up.
	ResumeSchedule(ctx context.Context, name string) (*Schedule, error)
	// RunSchedule asks for a start now, whatever the times and the overlap policy,
	// also of a schedule that is paused. The start is durable when it returns; a
	// server makes the run. With a key, a repetition asks for nothing more.
	RunSchedule(ctx context.Context, name, key string) (*ScheduledStart, error)
	// RemoveSchedule forgets a schedule and its starts. Its runs stay.
	RemoveSchedule(ctx context.Context, name string) error
}

// ScheduleSpec says which task is started when.
type ScheduleSpec struct {
	Name   string          `json:"name"`                            // letters, digits, '.', '_' and '-'
	Task   string          `json:"task"`                            // a deployed task: NAME, or NAME@VERSION
	Cron   string          `json:"cron"`                            // five fields, or @hourly, @daily, @weekly, @monthly or @yearly
	Zone   string          `json:"zone,omitempty"`                  // the IANA name of the time zone; empty means UTC
	Inputs json.RawMessage `json:"inputs,omitempty" shape:"object"` // by name, each as its declared type; no files
	// TimeInput is an input that gets the time which a start stands for, with its
	// offset from UTC: one that is declared datetime or str, and is not in Inputs.
	TimeInput string `json:"time_input,omitempty"`

	// CatchUp says which times are started that went by while no server worked;
	// empty means skip.
	CatchUp CatchUp `json:"catch_up,omitempty" enum:"skip,last,all"`
	// MaxCatchUp is how many times CatchUpAll starts at most, the newest; 0 means
	// 10.
	MaxCatchUp int `json:"max_catch_up,omitempty" minimum:"0" maximum:"1000"`
	// Overlap says what happens at a time while an earlier run of the schedule is
	// under way; empty means skip.
	Overlap Overlap `json:"overlap,omitempty" enum:"skip,allow,cancel"`

	Paused bool      `json:"paused,omitempty"` // nothing is started until it is resumed
	End    time.Time `json:"end,omitzero"`     // nothing is planned after it; zero means never
}

// CatchUp says what becomes of times that no server was there for.
type CatchUp string

// The policies of catching up.
const (
	CatchUpSkip CatchUp = "skip" // they are not started
	CatchUpLast CatchUp = "last" // the newest one is
	CatchUpAll  CatchUp = "all"  // all are, up to a bound; it needs OverlapAllow
)

// Overlap says what becomes of a time while an earlier run is under way.
type Overlap string

// The policies of overlapping.
const (
	OverlapSkip   Overlap = "skip"   // nothing is started
	OverlapAllow  Overlap = "allow"  // the new run starts beside the earlier one
	OverlapCancel Overlap = "cancel" // the earlier one is cancelled, and the new one starts
)

// Schedule is a schedule as it stands.
type Schedule struct {
	ScheduleSpec
	Environment string    `json:"environment,omitempty"` // that it was deployed with
	Created     time.Time `json:"created"`               // when it was deployed first
	Changed     time.Time `json:"changed"`               // when its definition changed last
	Next        time.Time `json:"next,omitzero"`         // the next planned time; zero if there is none

	NextTimes  []time.Time      `json:"next_times,omitempty"`  // the next few planned times; left out in lists
	LastStarts []ScheduledStart `json:"last_starts,omitempty"` // the newest first; left out in lists
}

// StartState is where a start of a schedule stands.
type StartState string

// The states of a start.
const (
	StartPlanned StartState = "planned" // it is due, and a server makes the run
	StartStarted StartState = "started" // there is a run
	StartSkipped StartState = "skipped" // an earlier run was under way
	StartMissed  StartState = "missed"  // no server was there in time
	StartFailed  StartState = "failed"  // no run could be made
)

// ScheduledStart is what became of one planned time of a schedule.
type ScheduledStart struct {
	ID      string     `json:"id"`                                                 // unique within the schedule
	Planned time.Time  `json:"planned"`                                            // the time that it stands for
	Manual  bool       `json:"manual,omitempty"`                                   // somebody asked for it
	State   StartState `json:"state" enum:"planned,started,skipped,missed,failed"` // planned, started, skipped, missed or failed
	Changed time.Time  `json:"changed"`                                            // when that came to be
	Run     string     `json:"run,omitempty"`                                      // the run that was started
	Status  Status     `json:"status,omitempty"`                                   // of the run, now; empty if it is not kept any more
	Reason  string     `json:"reason,omitempty"`                                   // why there is no run, or what was left out
}

// Trigger is what started a run, if no client asked for it.
type Trigger struct {
	Schedule string    `json:"schedule,omitempty"` // the name of the schedule
	Hook     string    `json:"hook,omitempty"`     // the name of the hook
	Message  string    `json:"message,omitempty"`  // of a hook: the id of the message that it was called with
	Time     time.Time `json:"time"`               // of a schedule the planned time, of a hook when it was called
	Manual   bool      `json:"manual,omitempty"`   // somebody asked the schedule for it
}

// Name is what runs with this trigger have in common: schedule:NAME or hook:NAME,
// and nothing of a run that a client started.
func (t *Trigger) Name() string {
	switch {
	case t == nil:
		return ""
	case t.Hook != "":
		return "hook:" + t.Hook
	}
	return "schedule:" + t.Schedule
}
