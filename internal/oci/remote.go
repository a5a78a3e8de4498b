package oci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/loopback"
)

// Time limits of the parts of a conversation with a registry.
const (
	dialTimeout   = 15 * time.Second
	answerTimeout = time.Minute // until the head of an answer
	stallTimeout  = time.Minute // without a single byte
)

// registry reads the repository of one image.
type registry struct {
	puller *remote.Puller
	repo   name.Repository
	opts   Options
}

func openRemote(ctx context.Context, ref string, opts Options) (*Image, error) {
	parsed, err := parseReference(ref)
	if err != nil {
		return nil, err
	}
	puller, err := remote.NewPuller(opts.remote(parsed)...)
	if err != nil {
		return nil, api.Errorf(api.Internal, "registry client: %w", err)
	}
	reg := registry{puller, parsed.Context(), opts}
	desc, err := puller.Get(ctx, parsed)
	if err != nil {
		return nil, opts.registryError(ctx, err)
	}
	digest, err := ParseDigest(desc.Digest.String())
	if err != nil {
		return nil, err
	}
	return readImage(ctx, reg, digest, desc.Manifest, opts)
}

// parseReference never repeats what stands before an @, which could be a
// password.
func parseReference(ref string) (name.Reference, error) {
	before, _, _ := strings.Cut(ref, "@"+digestPrefix)
	if strings.Contains(before, "@") || strings.Contains(before, "://") {
		return nil, api.Errorf(api.ImageNotFound, "a reference is written host/name:tag, without a scheme or credentials").
			WithHint("leave out the scheme, and give credentials through docker login or a secret")
	}
	parsed, err := name.ParseReference(ref)
	if err != nil {
		return nil, api.Errorf(api.ImageNotFound, "it is not a valid reference: %w", err).
			WithHint("write it as host/name:tag, or start the path of a file with / or ./")
	}
	return parsed, nil
}

// shown is a reference without anything that could be a password.
func shown(ref string) string {
	if at := strings.LastIndexByte(ref, '@'); at >= 0 && !strings.HasPrefix(ref[at+1:], digestPrefix) {
		return "***" + ref[at:]
	}
	return fmt.Sprintf("%.300s", ref)
}

func (o Options) remote(ref name.Reference) []remote.Option {
	opts := []remote.Option{remote.WithTransport(newGuard(ref))}
	if o.Username == "" && o.Password == "" {
		return append(opts, remote.WithAuthFromKeychain(authn.DefaultKeychain))
	}
	return append(opts, remote.WithAuth(&authn.Basic{Username: o.Username, Password: o.Password}))
}

func (r registry) manifest(ctx context.Context, d Digest) ([]byte, error) {
	desc, err := r.puller.Get(ctx, r.repo.Digest(string(d)))
	if err != nil {
		return nil, r.opts.registryError(ctx, err)
	}
	return desc.Manifest, nil
}

func (r registry) blob(ctx context.Context, d Digest) (io.ReadCloser, error) {
	layer, err := r.puller.Layer(ctx, r.repo.Digest(string(d)))
	if err != nil {
		return nil, r.opts.registryError(ctx, err)
	}
	body, err := layer.Compressed()
	if err != nil {
		return nil, r.opts.registryError(ctx, err)
	}
	return readCloser{&remoteReader{ctx, body, r.opts}, body}, nil
}

// remoteReader gives errors of the network their code.
type remoteReader struct {
	ctx  context.Context
	r    io.Reader
	opts Options
}

func (r *remoteReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, r.opts.registryError(r.ctx, err)
}

// registryError gives an error of the registry or of the way to it its code,
// in words that hold no addresses of requests, which may carry tokens.
func (o Options) registryError(ctx context.Context, err error) error {
	if apiErr := (*api.Error)(nil); errors.As(err, &apiErr) {
		return apiErr
	}
	if ctx.Err() != nil {
		return contextError(ctx.Err())
	}
	var answer *transport.Error
	if !errors.As(err, &answer) {
		return api.Errorf(api.RegistryUnavailable, "the registry could not be reached: %s", o.reason(err))
	}
	words := o.diagnostics(answer)
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return api.Errorf(api.RegistryDenied, "the registry refused the access: %s", words).
			WithHint("check the name, because registries answer like this for images that do not exist too; then log in or name a secret with credentials")
	case status == http.StatusNotFound:
		return api.Errorf(api.ImageNotFound, "the registry does not have it: %s", words)
	case status == http.StatusTooManyRequests || status >= 500:
		return api.Errorf(api.RegistryUnavailable, "the registry has trouble: %s", words)
	}
	refused := api.Errorf(api.RegistryUnavailable, "the registry refused the request: %s", words)
	refused.Retryable = false
	return refused
}

func (o Options) diagnostics(answer *transport.Error) string {
	words := fmt.Sprintf("status %d", answer.StatusCode)
	for _, d := range answer.Errors {
		words += fmt.Sprintf(", %s: %s", d.Code, d.Message)
	}
	return o.redact(words)
}

func (o Options) reason(err error) string {
	if urlErr := (*url.Error)(nil); errors.As(err, &urlErr) {
		err = urlErr.Err
	}
	return o.redact(err.Error())
}

func (o Options) redact(words string) string {
	if o.Password != "" {
		words = strings.ReplaceAll(words, o.Password, "***")
	}
	return fmt.Sprintf("%.500s", words)
}

// guard refuses to speak to a registry in the clear unless it is on this
// machine. A registry elsewhere cannot lead us to what this machine serves, by
// a redirect or as the place where tokens are to be had.
type guard struct {
	next  http.RoundTripper
	local bool // the registry is on this machine
}

func newGuard(ref name.Reference) guard {
	registry := url.URL{Host: ref.Context().RegistryStr()}
	return guard{newTransport(), loopback.IsHost(registry.Hostname())}
}

func newTransport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return stallConn{conn}, nil
		},
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8, IdleConnTimeout: stallTimeout,
		TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: answerTimeout, ExpectContinueTimeout: time.Second,
	}
}

func (g guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "https" && !(g.local && loopback.IsHost(req.URL.Hostname())) {
		return nil, api.Errorf(api.RegistryDenied, "plain http to %s is refused, because it is not this machine", req.URL.Hostname()).
			WithHint("give the registry a certificate")
	}
	return g.next.RoundTrip(req)
}

// stallConn ends a conversation in which nothing comes any more.
type stallConn struct{ net.Conn }

func (c stallConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(stallTimeout)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}
