package image

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"runtime"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// uvVersion is the installer that build cells use.
const uvVersion = "0.13.8"

// uvWheel is the wheel of uvVersion for one architecture, as the package index
// has it, with the SHA-256 of its bytes.
type uvWheel struct{ file, sha256 string }

func uvWheelFor(arch string) (uvWheel, bool) {
	switch arch {
	case "amd64":
		return uvWheel{"uv-0.13.8-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
			"e18a57b8b352eb7c8feb317b9f6f533c8f0ad9673fd6cf34bbe3cf1a9f6a8984"}, true
	case "arm64":
		return uvWheel{"uv-0.13.8-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
			"0b3e8b1a4f5e405e31e2ff33de8af4744831e9f7338539671efbd8c3c94e791d"}, true
	}
	return uvWheel{}, false
}

// The limits of what comes from an index, in bytes.
const (
	maxSimplePage = 16 << 20
	maxUVWheel    = 128 << 20
	maxUVProgram  = 256 << 20
)

// uv returns the path of the installer, which it fetches once from the user's
// default index, checks against the pinned digest and keeps in the store.
func (s *Service) uv(ctx context.Context, set indexes) (string, error) {
	wheel, ok := uvWheelFor(runtime.GOARCH)
	if !ok {
		return "", api.Errorf(api.BaseUnavailable, "Python packages cannot be installed on %s", platform()).
			WithHint("use a prebuilt image, or a machine with amd64 or arm64")
	}
	name := uvVersion + "-" + runtime.GOARCH
	if _, err := os.Stat(s.store.path("uv", name)); err == nil {
		return s.store.path("uv", name), nil
	}
	data, err := s.fetchWheel(ctx, set.list[0], wheel)
	if err != nil {
		return "", err
	}
	program, err := unzipUV(data)
	if err != nil {
		return "", err
	}
	return s.store.path("uv", name), s.store.writeBytes("uv", name, program)
}

func (s *Service) fetchWheel(ctx context.Context, idx index, wheel uvWheel) ([]byte, error) {
	page := idx.url.JoinPath("uv", "/")
	text, err := s.get(ctx, idx, page, maxSimplePage)
	if err != nil {
		return nil, err
	}
	link, ok := findLink(page, text, wheel.file)
	if !ok {
		return nil, api.Errorf(api.IndexUnavailable, "package index %s does not have %s", page.Host, wheel.file).
			WithHint("let the index offer the package uv, version %s", uvVersion)
	}
	if link.Host != idx.url.Host {
		idx.user = nil
	}
	data, err := s.get(ctx, idx, link, maxUVWheel)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != wheel.sha256 {
		return nil, api.Errorf(api.IndexUnavailable, "package index %s gave a damaged %s: its SHA-256 is %s", page.Host, wheel.file, got)
	}
	return data, nil
}

var hrefPattern = lazyregexp.New(`(?i)<a\s[^>]*?href\s*=\s*["']([^"']+)["']`)

// findLink finds the link to file in a page of the simple repository API
// (PEP 503).
func findLink(base *url.URL, page []byte, file string) (*url.URL, bool) {
	for _, m := range hrefPattern().FindAllSubmatch(page, -1) {
		ref, err := url.Parse(html.UnescapeString(string(m[1])))
		if err != nil || path.Base(ref.Path) != file {
			continue
		}
		link := base.ResolveReference(ref)
		link.Fragment, link.User = "", nil
		return link, link.Scheme == "https" || link.Scheme == "http"
	}
	return nil, false
}

// indexTries is how often a file of an index is asked for, which may fail for a
// moment; uv and apt ask as often.
const indexTries = 3

// get fetches one file of an index, of at most limit bytes.
func (s *Service) get(ctx context.Context, idx index, u *url.URL, limit int64) ([]byte, error) {
	data, err := backoff.Retry(ctx, func() ([]byte, error) { return s.getOnce(ctx, idx, u, limit) }, backoff.WithMaxTries(indexTries))
	if err != nil && ctx.Err() != nil {
		return nil, unreachable(u, context.Cause(ctx))
	}
	return data, err
}

// getOnce is one try of get. What the index would say again is permanent.
func (s *Service) getOnce(ctx context.Context, idx index, u *url.URL, limit int64) ([]byte, error) {
	resp, err := s.request(ctx, http.MethodGet, idx, u)
	if err != nil {
		return nil, unreachable(u, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		err := api.Errorf(api.IndexUnavailable, "package index %s answered %s for %s", u.Host, resp.Status, u.Path)
		if resp.StatusCode < http.StatusInternalServerError && resp.StatusCode != http.StatusTooManyRequests {
			return nil, backoff.Permanent(err)
		}
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, unreachable(u, err)
	}
	if int64(len(data)) > limit {
		return nil, backoff.Permanent(api.Errorf(api.IndexUnavailable, "package index %s sent more than %d bytes for %s", u.Host, limit, u.Path))
	}
	return data, nil
}

// request sends one request with the credentials of the index.
func (s *Service) request(ctx context.Context, method string, idx index, u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/vnd.pypi.simple.v1+html, text/html;q=0.9, */*;q=0.1")
	if idx.user != nil {
		password, _ := idx.user.Password()
		req.SetBasicAuth(idx.user.Username(), password)
	}
	return s.client.Do(req)
}

// unreachable names the host only: err holds the URL, but never credentials,
// which travel in a header.
func unreachable(u *url.URL, err error) error {
	return api.Errorf(api.IndexUnavailable, "package index %s could not be reached: %w", u.Host, err)
}

// unzipUV takes the program out of its wheel.
func unzipUV(wheel []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		return nil, api.Errorf(api.IndexUnavailable, "the wheel of uv cannot be read: %w", err)
	}
	f, err := z.Open("uv-" + uvVersion + ".data/scripts/uv")
	if err != nil {
		return nil, api.Errorf(api.IndexUnavailable, "the wheel of uv has no program: %w", err)
	}
	defer f.Close()
	program, err := io.ReadAll(io.LimitReader(f, maxUVProgram))
	if err != nil {
		return nil, api.Errorf(api.IndexUnavailable, "the wheel of uv cannot be read: %w", err)
	}
	return program, nil
}
