package e2b

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// newSandbox is what a client asks for.
type newSandbox struct {
	TemplateID          string            `json:"templateID"`
	Timeout             *int64            `json:"timeout"` // seconds; nil is the default
	AutoPause           bool              `json:"autoPause"`
	AutoPauseMemory     *bool             `json:"autoPauseMemory"`
	AutoResume          *autoResume       `json:"autoResume"`
	Secure              *bool             `json:"secure"`
	AllowInternetAccess *bool             `json:"allow_internet_access"`
	Network             *networkConfig    `json:"network"`
	Metadata            map[string]string `json:"metadata"`
	EnvVars             map[string]string `json:"envVars"`
	VolumeMounts        []any             `json:"volumeMounts"`
	IAM                 *struct {
		Tokens map[string]any `json:"tokens"`
	} `json:"iam"`
}

type autoResume struct {
	Enabled bool `json:"enabled"`
}

// The timeouts of sandboxes whose clients name none.
const (
	defaultTimeout = 300 // seconds
	oldTimeout     = 15  // seconds, of routes without a version
)

// create makes a sandbox, whose envd always asks for its token.
func (f *Face) create(w http.ResponseWriter, r *http.Request) error {
	return f.make(w, r, defaultTimeout, func(*newSandbox) bool { return true })
}

// createOld does the same for SDKs that ask for the token to be needed.
func (f *Face) createOld(w http.ResponseWriter, r *http.Request) error {
	return f.make(w, r, oldTimeout, func(in *newSandbox) bool { return in.Secure != nil && *in.Secure })
}

func (f *Face) make(w http.ResponseWriter, r *http.Request, timeout int64, secure func(*newSandbox) bool) error {
	in := newSandbox{Timeout: &timeout}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	spec, err := f.spec(r.Context(), &in)
	if err != nil {
		return err
	}
	if !secure(&in) {
		spec.Labels[labelOpen] = set
	}
	s, err := f.Sessions.NewSession(r.Context(), spec)
	if err != nil {
		return err
	}
	if err := f.startTemplate(r.Context(), s.ID, in.TemplateID); err != nil {
		return errors.Join(err, f.Sessions.KillSession(context.WithoutCancel(r.Context()), s.ID))
	}
	writeJSON(w, http.StatusCreated, f.sandbox(r, s))
	return nil
}

// spec returns the session that a sandbox is.
func (f *Face) spec(ctx context.Context, in *newSandbox) (api.SessionSpec, error) {
	if err := in.check(); err != nil {
		return api.SessionSpec{}, err
	}
	spec, err := f.template(ctx, in.TemplateID)
	if err != nil {
		return spec, err
	}
	network, err := in.network()
	if err != nil {
		return spec, err
	}
	if spec.Network, err = network.policy(); err != nil {
		return spec, err
	}
	spec.Env = in.EnvVars
	spec.Timeout = seconds(*in.Timeout)
	spec.Idle = -1 // a sandbox has one end, and requests do not move it
	spec.AtEnd = api.AtEndKill
	spec.NoAutoResume = true
	if in.AutoPause {
		spec.AtEnd = api.AtEndPause
		spec.FilesOnly = in.AutoPauseMemory != nil && !*in.AutoPauseMemory
		spec.NoAutoResume = in.AutoResume == nil || !in.AutoResume.Enabled
	}
	spec.Labels = map[string]string{labelTemplate: in.TemplateID}
	network.label(spec.Labels)
	for key, v := range in.Metadata {
		spec.Labels[labelMetadata+key] = v
	}
	return spec, nil
}

// check refuses what there is not, in place of a sandbox without it.
func (in *newSandbox) check() error {
	switch {
	case in.TemplateID == "":
		return badRequest("templateID is missing")
	case *in.Timeout < 0 || *in.Timeout > maxSeconds:
		return badRequest("timeout is no number of seconds")
	case len(in.VolumeMounts) > 0:
		return badRequest("this server has no volumes")
	case in.IAM != nil && len(in.IAM.Tokens) > 0:
		return badRequest("this server makes no tokens of workload identity")
	}
	return nil
}

// maxSeconds bounds a time that a client names: a year.
const maxSeconds = 365 * 24 * 3600

// seconds returns a timeout. None at all would be without bound, where E2B means
// that it is over.
func seconds(n int64) time.Duration { return max(time.Duration(n)*time.Second, time.Millisecond) }
