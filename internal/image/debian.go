package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// The mirror that is used when the host is not itself a Debian.
const (
	defaultMirror   = "http://deb.debian.org/debian"
	defaultSecurity = "http://deb.debian.org/debian-security"
)

// mmdebstrapTail is how many bytes of mmdebstrap's words are kept.
const mmdebstrapTail = 64 << 10

// basePackages are in every base that is made from a mirror: Python with what
// building extensions needs, and the tools that every image has.
func basePackages() []string {
	return []string{"ca-certificates", "curl", "g++", "gcc", "git", "make", "python-is-python3", "python3", "python3-dev", "python3-venv"}
}

// debianBase makes a base from a Debian mirror. mmdebstrap writes a tar, which
// goes straight into the store as the only layer.
func (s *Service) debianBase(ctx context.Context, su suite, reason string, progress func(api.Progress)) (*baseRecord, error) {
	mirror := hostMirror(os.DirFS("/"))
	why := fmt.Sprintf("base: Debian %s from %s with mmdebstrap, because %s", su.name, mirror.host(), reason)
	progress(api.Progress{Stage: "base", Message: why + "; this takes a minute or two, once"})
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	tmp, remove, err := unshareTemp(ctx, ids.parent(), ids)
	if err != nil {
		return nil, err
	}
	defer remove()
	layer, err := s.runMmdebstrap(ctx, su, mirror, ids, tmp, progress)
	if err != nil {
		return nil, err
	}
	return &baseRecord{
		Base:   Base{Kind: "debian", Ref: "debian:" + su.name, Digest: layer.DiffID},
		Config: oci.Config{Env: []string{"PATH=" + defaultPath}, Cmd: []string{"/bin/bash"}},
		Layers: []oci.Layer{layer}, Why: why,
	}, nil
}

func (s *Service) runMmdebstrap(ctx context.Context, su suite, m mirror, ids idRange, tmp string, progress func(api.Progress)) (oci.Layer, error) {
	cmd := exec.CommandContext(ctx, "mmdebstrap", mmdebstrapArgs(su, m)...)
	cmd.Env = mmdebstrapEnv(s.getenv, su, tmp)
	cmd.SysProcAttr = confine(ids)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	log := newStepLog(mmdebstrapTail, func(line string) {
		if text, ok := strings.CutPrefix(line, "I: "); ok {
			progress(api.Progress{Stage: "base", Message: "mmdebstrap: " + text})
		}
	})
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return oci.Layer{}, api.Errorf(api.Internal, "start mmdebstrap: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return oci.Layer{}, api.Errorf(api.BaseUnavailable, "start mmdebstrap: %w", err)
	}
	layer, storeErr := s.store.blobs.AddLayer(ctx, out, s.layerOptions(su.epoch))
	if storeErr != nil {
		_ = cmd.Cancel() // it may have ended on its own
	}
	if err := cmd.Wait(); err != nil && !stoppedByUs(storeErr) {
		return oci.Layer{}, mmdebstrapError(ctx, su, m, err, log.String())
	}
	return layer, storeErr
}

// stoppedByUs says whether err, and not mmdebstrap, is the reason of the end.
func stoppedByUs(err error) bool {
	return errors.Is(err, &api.Error{Code: api.StorageFull})
}

func mmdebstrapError(ctx context.Context, su suite, m mirror, err error, log string) error {
	if ctx.Err() != nil {
		return api.Errorf(api.Canceled, "mmdebstrap: %w", context.Cause(ctx))
	}
	return api.Errorf(api.BaseUnavailable, "mmdebstrap could not make Debian %s from %s: %w: %s", su.name, m.host(), err, lastLine(log)).
		WithHint("check that the mirror can be reached, or name a base (--base, or Image.from_base in Python)").
		WithDetails(api.Details{Log: log})
}

func mmdebstrapArgs(su suite, m mirror) []string {
	compile := `chroot "$1" python3 -m compileall -q -f --invalidation-mode unchecked-hash /usr/lib/python3 /usr/lib/python` + su.python
	args := []string{
		"--variant=minbase", "--mode=unshare", "--format=tar",
		"--include=" + strings.Join(basePackages(), ","),
		"--customize-hook=" + compile,
		// mmdebstrap copies those of this host.
		`--customize-hook=rm -f "$1/etc/resolv.conf" "$1/etc/hostname"`,
		`--aptopt=Acquire::Languages "none"`,
		"--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
		"--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-include=/usr/share/doc/*/copyright",
	}
	if m.keyring != "" {
		args = append(args, "--keyring="+m.keyring)
	}
	return append(append(args, su.name, "-"), m.lines(su.name)...)
}

func mmdebstrapEnv(getenv func(string) string, su suite, tmp string) []string {
	env := []string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "HOME=" + getenv("HOME"),
		"TMPDIR=" + tmp, "SOURCE_DATE_EPOCH=" + strconv.FormatInt(su.epoch, 10),
	}
	for _, k := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE"} {
		if v := getenv(k); v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
}

// mirror is where Debian packages come from.
type mirror struct {
	main, security string // URIs; security may be empty
	keyring        string // a path on the host, or empty
}

func (m mirror) host() string {
	u, err := url.Parse(m.main)
	if err != nil {
		return "the mirror"
	}
	return u.Host
}

func (m mirror) lines(suite string) []string {
	out := []string{"deb " + m.main + " " + suite + " main", "deb " + m.main + " " + suite + "-updates main"}
	if m.security != "" {
		out = append(out, "deb "+m.security+" "+suite+"-security main")
	}
	return out
}

// hostMirror reads the Debian mirror and its keyring from the apt sources of
// the host.
func hostMirror(root fs.FS) mirror {
	var m mirror
	for _, s := range aptSources(root) {
		u, err := url.Parse(s.URI)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || !slices.Contains(s.Components, "main") {
			continue
		}
		switch name := path.Base(strings.TrimSuffix(u.Path, "/")); {
		case name == "debian" && m.main == "":
			m.main, m.keyring = s.URI, s.Keyring
		case name == "debian-security" && m.security == "":
			m.security = s.URI
		}
	}
	if m.main == "" {
		return mirror{main: defaultMirror, security: defaultSecurity}
	}
	return m
}
