package sandbox

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
)

func TestTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
			fmt.Fprint(c.command.Stdout, "before")
			<-c.ctx.Done()
			return cell.Exit{}, api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(c.ctx))
		})
		began := time.Now()
		result, err := f.run(t, &api.Task{Command: []string{"sleep"}, Timeout: 5 * time.Second}, nil)
		e := sandboxtest.WantError(t, err, api.Timeout, "5s")
		if e.Details.Duration != 5*time.Second || time.Since(began) != 5*time.Second || string(result.Stdout) != "before" || result.ExitCode != -1 {
			t.Errorf("after %s: %+v, stdout %q", time.Since(began), e.Details, result.Stdout)
		}
	})
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		cancel()
		<-c.ctx.Done()
		return cell.Exit{}, api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(c.ctx))
	})
	_, err := f.Run(ctx, "run-1", &api.Request{Task: &api.Task{Command: []string{"sleep"}}})
	sandboxtest.WantError(t, err, api.Canceled)
	if f.cell.closed != 1 {
		t.Error("the cell was not closed")
	}
}

func TestRedaction(t *testing.T) {
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		fmt.Fprint(c.command.Stdout, "token hunter2")
		fmt.Fprint(c.command.Stdout, "hunter2 out\n")
		fmt.Fprint(c.command.Stderr, "hunter2hunter2\n")
		c.report(`{"ok":false,"error":{"kind":"python_exception","type":"ValueError","message":"hunter2hunter2","traceback":"hunter2hunter2",
			"frames":[{"file":"a.py","line":1,"source":"x = 'hunter2hunter2'"}]}}`)
		return cell.Exit{Code: 1}, nil
	})
	result, err := f.run(t, &api.Task{Code: "x", Secrets: []api.SecretRef{{Name: "token", Env: "TOKEN"}}}, nil)
	e := sandboxtest.WantError(t, err, api.PythonException, "[redacted]")
	if !slices.Contains(f.cell.variables(), "TOKEN=hunter2hunter2") {
		t.Errorf("env = %q, want the secret in it", f.cell.variables())
	}
	all := fmt.Sprintf("%+v %+v %s %s", e, *e.Details.Exception, result.Stdout, result.Stderr)
	if strings.Contains(all, "hunter2hunter2") {
		t.Errorf("the secret is in %s", all)
	}
}

func TestEnvironment(t *testing.T) {
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		c.serve(c.ctx, nil)
		return cell.Exit{}, nil
	})
	f.images.image.Env = append(f.images.image.Env, "LANG=de_DE.UTF-8", "HOME=/root", "USER_SET=image")
	task := &api.Task{
		Code: "x", Network: api.Network{Allow: []string{"pypi.org"}},
		Env: map[string]string{"USER_SET": "task", "PYTHONUNBUFFERED": "", "LOG_LEVEL": "DEBUG=1"},
	}
	result, err := f.run(t, task, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"PATH=/opt/venv/bin:/usr/bin", "IMAGE=1", "LANG=de_DE.UTF-8", "HOME=/work", "USER_SET=task",
		"PYTHONUNBUFFERED=", "LOG_LEVEL=DEBUG=1", "HTTPS_PROXY=http://" + cell.ProxyAddress,
	} {
		if !slices.Contains(f.cell.variables(), want) {
			t.Errorf("env = %q, want %q in it", f.cell.variables(), want)
		}
	}
	if len(result.Network) != 1 || result.Usage.BytesIn != 10 || result.Usage.BytesOut != 3 {
		t.Errorf("network = %+v, usage = %+v", result.Network, result.Usage)
	}
}

// stuckGetter is a cell that never hands anything out.
type stuckGetter struct{ *fakeCell }

func (stuckGetter) Get(ctx context.Context, _ string, _ []string, _ cell.GetLimits, _ func(*tar.Header, io.Reader) error) error {
	<-ctx.Done()
	return api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
}

func TestCollectingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, exits(0))
		f.maker = fakeMaker(func(cell.Spec) ready.Box { return stuckGetter{f.cell} })
		_, err := f.run(t, &api.Task{Command: []string{"x"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "n:int")}}, nil)
		sandboxtest.WantError(t, err, api.CellLost, "did not come out")
	})
}

// A run with a network trusts what its host has to trust, unless the task says
// what to trust itself.
func TestCertificates(t *testing.T) {
	public := api.Network{Public: true}
	tests := []struct {
		name    string
		bundle  string
		task    api.Task
		file    string
		ssl, gi string // SSL_CERT_FILE and GIT_SSL_CAINFO
	}{
		{"host names one", "PEM", api.Task{Network: public}, "PEM", "/run/glovebox/ca.pem", "/run/glovebox/ca.pem"},
		{"host names none", "", api.Task{Network: public}, "<nothing>", "/image.pem", ""},
		{"no network", "PEM", api.Task{}, "<nothing>", "/image.pem", ""},
		{"task sets its own", "PEM", api.Task{Network: public, Env: map[string]string{"SSL_CERT_FILE": "/mine"}}, "PEM", "/mine", "/run/glovebox/ca.pem"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, exits(0))
			f.images.image.Env = append(f.images.image.Env, "SSL_CERT_FILE=/image.pem")
			if tt.bundle != "" {
				f.bundle = []byte(tt.bundle)
			}
			tt.task.Command = []string{"curl"}
			if _, err := f.run(t, &tt.task, nil); err != nil {
				t.Fatal(err)
			}
			if got := f.cell.text("/run/glovebox/ca.pem"); got != tt.file {
				t.Errorf("the bundle is %q, want %q", got, tt.file)
			}
			if e := f.cell.entries["/run/glovebox/ca.pem"]; e != nil && (e.header.Uid != 0 || e.header.Mode != 0o444) {
				t.Errorf("the bundle belongs to %d with mode %o", e.header.Uid, e.header.Mode)
			}
			for name, want := range map[string]string{"SSL_CERT_FILE": tt.ssl, "GIT_SSL_CAINFO": tt.gi} {
				e := environ.Variables{}
				e.SetAll(f.cell.command.Env)
				if e[name] != want {
					t.Errorf("%s is %q, want %q", name, e[name], want)
				}
			}
		})
	}
}

func TestUnreadableCertificates(t *testing.T) {
	f := newFixture(t, exits(0))
	f.bundleErr = api.Errorf(api.IsolationUnavailable, "read the certificates of the host: no")
	_, err := f.run(t, &api.Task{Command: []string{"curl"}, Network: api.Network{Public: true}}, nil)
	sandboxtest.WantError(t, err, api.IsolationUnavailable, "certificates")
	if f.starts != 0 {
		t.Error("a cell was started")
	}
}

func TestWayToTheEngine(t *testing.T) {
	var served, ended []string
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		c.serve(c.ctx, nil)
		if len(ended) > 0 {
			t.Error("the way was closed under the cell")
		}
		return cell.Exit{}, nil
	})
	f.config.Engine = func(_ context.Context, run string, task *api.Task) (Handler, func(), error) {
		return func(context.Context, net.Conn) { served = append(served, run+" "+task.Name) },
			func() {
				if f.cell.released != 1 {
					t.Error("the way was closed while something went on in the cell")
				}
				ended = append(ended, run)
			}, nil
	}
	task := &api.Task{Name: "caller", Command: []string{"x"}, StartsRuns: true}
	if _, err := f.run(t, task, nil); err != nil {
		t.Fatal(err)
	}
	if len(served) != 1 || served[0] != "run-1 caller" || len(ended) != 1 {
		t.Errorf("served %q, ended %q", served, ended)
	}
	env := strings.Join(f.cell.command.Env, "\n")
	for _, want := range []string{"GLOVEBOX_URL=http://engine.glovebox", "GLOVEBOX_PROXY=http://127.0.0.1:3128", "GLOVEBOX_RUN=run-1"} {
		if !strings.Contains(env, want) {
			t.Errorf("no %s in %s", want, env)
		}
	}
	if strings.Contains(env, "HTTP_PROXY") {
		t.Errorf("a cell without a network has %s", env)
	}
	f = newFixture(t, exits(0))
	f.config.Engine = func(context.Context, string, *api.Task) (Handler, func(), error) {
		return nil, nil, api.Errorf(api.Internal, "no way")
	}
	_, err := f.run(t, task, nil)
	sandboxtest.WantError(t, err, api.Internal, "no way")
	if f.starts != 0 {
		t.Error("a cell was started without its way")
	}
}

func TestVariablesOfTheWayAreReserved(t *testing.T) {
	f := newFixture(t, exits(0))
	for _, name := range []string{"GLOVEBOX_URL", "GLOVEBOX_PROXY", "GLOVEBOX_RUN"} {
		for _, task := range []*api.Task{
			{Command: []string{"x"}, StartsRuns: true, Env: map[string]string{name: "x"}},
			{Command: []string{"x"}, StartsRuns: true, Secrets: []api.SecretRef{{Name: "token", Env: name}}},
		} {
			sandboxtest.WantError(t, f.Validate(task), api.InvalidTask, name)
			task.StartsRuns = false
			if err := f.Validate(task); err != nil {
				t.Errorf("a task that starts no runs: %v", err)
			}
		}
	}
}
