package image

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/copier"
	"github.com/glovebox-dev/glovebox/internal/image/dockerfile"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// maxFetched bounds a file that ADD fetches, in bytes; stepTime bounds the time.
const maxFetched = 4 << 30

const notFetchedHint = "try again when the server can be reached from here, or COPY the file from the build context"

// addPinned carries out ADD of a URL with a checksum. Its layer follows from the
// layers below and the checksum, so the file is fetched once.
func (s *dockerStage) addPinned(ctx context.Context, step dockerfile.Step) error {
	what := step.Copy
	key := digestJSON([]any{builderVersion, s.chain(), kindCopy, what.Checksum, fileOf(what.URLs[0]), what.Dest, what.Chown, what.Chmod})
	err := s.keep(kindCopy, key, step, func() (oci.Layer, error) {
		c, err := s.copied(ctx, what)
		if err != nil {
			return oci.Layer{}, err
		}
		return s.copyLayer(ctx, c)
	})
	s.copies = nil // they do not know of a file that was not fetched
	return err
}

// addURL copies the file of a URL. As in Docker it stays packed if it is an archive.
func (s *dockerStage) addURL(ctx context.Context, c *copier.Copier, address, checksum string, o copier.Options) error {
	r := s.reach(kindCommand)
	f, err := s.fetch(ctx, r, address)
	if err != nil {
		return r.explain(ctx, err)
	}
	if checksum != "" && checksum != f.digest {
		return api.Errorf(api.BuildFailed, "the file of the URL has another checksum").
			WithHint("make sure that it is the file that is meant before you write down its checksum").
			WithDetails(api.Details{Expected: checksum, Got: f.digest})
	}
	return c.Fetched(fileOf(address), f.size, func() (io.ReadCloser, error) { return os.Open(f.path) }, o)
}

// fileOf names the file of a URL by the last part of its path, as Docker does.
func fileOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "__unnamed__"
	}
	if name := path.Base(u.Path); name != "." && name != "/" && name != ".." {
		return name
	}
	return "__unnamed__"
}

// fetched is a file of the web in the scratch directory of a build.
type fetched struct {
	path   string
	size   int64
	digest string
}

// fetch downloads a file by the network of a step. Redirects go the same way.
func (s *dockerStage) fetch(ctx context.Context, r *reach, address string) (*fetched, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	client, err := r.client(ctx)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, api.Errorf(api.InvalidTask, "the URL cannot be read: %w", err)
	}
	s.progress(api.Progress{Stage: "build", Message: "fetching " + req.URL.Redacted()})
	resp, err := client.Do(req)
	if err != nil {
		return nil, api.Errorf(api.BuildFailed, "the file cannot be fetched: %w", err).WithHint(notFetchedHint)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, api.Errorf(api.BuildFailed, "the file cannot be fetched: %s", r.meaning(resp)).WithHint(notFetchedHint)
	}
	return receive(resp.Body, filepath.Join(s.scratch.dir, "fetched-"+randomHex()), maxFetched)
}

// meaning tells why an answer is not the file. If the way to the server is shut,
// the proxy has answered in its place, with one line that says why.
func (r *reach) meaning(resp *http.Response) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.refused) == 0 && r.failed == "" {
		return resp.Request.URL.Host + " answers " + resp.Status
	}
	line, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10)) // what came of it says enough
	return oneLine(string(line))
}

// receive writes a file of at most some bytes.
func receive(body io.Reader, to string, most int64) (*fetched, error) {
	f, err := os.Create(to)
	if err != nil {
		return nil, storageError("keep a file that was fetched", err)
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(body, most+1))
	if err != nil {
		return nil, api.Errorf(api.BuildFailed, "the file was not fetched to its end: %w", err).WithHint(notFetchedHint)
	}
	if size > most {
		return nil, api.Errorf(api.BuildFailed, "the file has more than %d bytes", most)
	}
	return &fetched{to, size, "sha256:" + hex.EncodeToString(sum.Sum(nil))}, nil
}

// client makes requests on the host that reach what a step may, and nothing else:
// the proxy of cells is its only network.
func (r *reach) client(ctx context.Context) (*http.Client, error) {
	serve, err := r.b.s.config.Egress(r.network, r.audit)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy"}),
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go serve(ctx, far)
			return near, nil
		},
		TLSClientConfig:   &tls.Config{RootCAs: r.b.s.roots},
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxRelayHead,
	}}, nil
}
