package e2b

import (
	"context"
	"iter"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// The labels of a session that hold what a sandbox has besides.
const (
	labelPrefix   = "e2b."
	labelMetadata = "e2b.metadata." // and the key
	labelTemplate = "e2b.template"  // that it was made of
	labelOpen     = "e2b.open"      // envd asks for no token
	labelPrivate  = "e2b.private"   // ports ask for a token
	labelMask     = "e2b.mask"      // what servers in it see as their host
	labelNetwork  = "e2b.network"   // what was asked for, in JSON
)

const set = "yes" // the value of labels that are there or not

// envdVersion is the newest that SDKs know, so that they use all that there is.
const envdVersion = "0.6.4"

const clientID = "glovebox"

// sandbox is what a client needs to reach a sandbox.
type sandbox struct {
	TemplateID         string  `json:"templateID"`
	SandboxID          string  `json:"sandboxID"`
	ClientID           string  `json:"clientID"`
	EnvdVersion        string  `json:"envdVersion"`
	EnvdAccessToken    string  `json:"envdAccessToken,omitempty"`
	TrafficAccessToken *string `json:"trafficAccessToken"`
	Domain             string  `json:"domain,omitempty"`
}

func (f *Face) sandbox(r *http.Request, s *api.Session) sandbox {
	out := sandbox{
		TemplateID: templateOf(s), SandboxID: s.ID, ClientID: clientID, EnvdVersion: envdVersion,
		EnvdAccessToken: f.envdToken(s), Domain: domainOf(r),
	}
	if !isPublic(s) {
		token := f.token(trafficPurpose, s.ID)
		out.TrafficAccessToken = &token
	}
	return out
}

func templateOf(s *api.Session) string {
	switch template := s.Spec.Labels[labelTemplate]; {
	case template != "":
		return template
	case s.Snapshot != "":
		return s.Snapshot
	}
	return s.Image
}

// detail is what is known of a sandbox.
type detail struct {
	sandbox
	StartedAt           time.Time         `json:"startedAt"`
	EndAt               time.Time         `json:"endAt"`
	CPUCount            int               `json:"cpuCount"`
	MemoryMB            int64             `json:"memoryMB"`
	DiskSizeMB          int64             `json:"diskSizeMB"`
	State               string            `json:"state"`
	Metadata            map[string]string `json:"metadata"`
	AllowInternetAccess *bool             `json:"allowInternetAccess,omitempty"`
	Network             *networkConfig    `json:"network,omitempty"`
	Lifecycle           lifecycle         `json:"lifecycle"`
	PauseMode           string            `json:"pauseMode,omitempty"`
}

type lifecycle struct {
	AutoResume bool   `json:"autoResume"`
	OnTimeout  string `json:"onTimeout"`
}

func (f *Face) detail(r *http.Request, s *api.Session) detail {
	res := s.Spec.Resources.WithDefaults()
	d := detail{
		sandbox: f.sandbox(r, s), StartedAt: s.Created.UTC(), EndAt: endOf(s).UTC(), State: stateOf(s), Metadata: metadataOf(s),
		CPUCount: max(1, int(math.Ceil(res.CPU))), MemoryMB: res.Memory >> 20, DiskSizeMB: res.Disk >> 20,
		Network: networkOf(s), Lifecycle: lifecycle{AutoResume: !s.Spec.NoAutoResume, OnTimeout: "pause"},
	}
	d.TrafficAccessToken = nil // for the one who made it
	if s.Spec.AtEnd == api.AtEndKill {
		d.Lifecycle = lifecycle{OnTimeout: "kill"}
	}
	if d.Network != nil {
		d.AllowInternetAccess = d.Network.Internet
	}
	if d.State == statePaused {
		d.PauseMode = "filesystem"
		if s.Memory {
			d.PauseMode = "full"
		}
	}
	return d
}

// unbounded stands for the end of a session without one, which E2B does not know.
const unbounded = 100 * 365 * 24 * time.Hour

func endOf(s *api.Session) time.Time {
	if s.Ends.IsZero() {
		return s.Created.Add(unbounded)
	}
	return s.Ends
}

func metadataOf(s *api.Session) map[string]string {
	metadata := map[string]string{}
	for name, v := range s.Spec.Labels {
		if key, ok := strings.CutPrefix(name, labelMetadata); ok {
			metadata[key] = v
		}
	}
	return metadata
}

// The states of a sandbox.
const (
	stateRunning = "running"
	statePaused  = "paused"
)

// living are the states of sandboxes, which end where they are no longer listed.
var living = append(statesOf(stateRunning), statesOf(statePaused)...)

// statesOf returns the states of a session that count as one of a sandbox.
func statesOf(state string) []api.SessionState {
	if state == statePaused {
		return []api.SessionState{api.SessionPaused}
	}
	return []api.SessionState{api.SessionStarting, api.SessionRunning, api.SessionPausing, api.SessionResuming}
}

func stateOf(s *api.Session) string {
	if s.State == api.SessionPaused {
		return statePaused
	}
	return stateRunning
}

// live returns a session that has not ended. One that has is not found.
func (f *Face) live(ctx context.Context, id string) (*api.Session, error) {
	s, err := f.Sessions.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	if s.State == api.SessionOver || s.State == api.SessionLost {
		return nil, api.Errorf(api.NotFound, "sandbox %s not found", id)
	}
	return s, nil
}

// all yields every session that a query selects, the first error last.
func (f *Face) all(ctx context.Context, q api.SessionQuery) iter.Seq2[api.Session, error] {
	return func(yield func(api.Session, error) bool) {
		for {
			page, err := f.Sessions.Sessions(ctx, q)
			if err != nil {
				yield(api.Session{}, err)
				return
			}
			for _, s := range page.Sessions {
				if !yield(s, nil) {
					return
				}
			}
			if q.Cursor = page.Next; q.Cursor == "" {
				return
			}
		}
	}
}
