// Package image turns the image spec of a task into a root file system that
// cells mount.
//
// A spec is brought into canonical form (Spec), resolves to a Lock, and the
// digest of the lock names the image. A second run of the same spec reads the
// lock and touches no network.
//
// Nothing of an image ever runs on the host: every step of a build runs in a
// cell of its own, whose network reaches only package indexes and mirrors, and
// what the step changed is taken out as a layer. Prebuilt images go the same
// way without steps.
package image

import (
	"archive/tar"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// Config is what a Service works with.
type Config struct {
	Dir string // of the store; made if need be
	// ReadOnly leaves the store as it is: nothing can be written there, and so no
	// image can be made.
	ReadOnly bool
	// Start brings up a cell for one step of a build.
	Start func(ctx context.Context, spec cell.Spec) (Cell, error)
	// Egress gives a build cell network access under a network policy.
	Egress func(network api.Network, audit func(api.Connection)) (func(context.Context, net.Conn), error)
	// Network is what commands may reach, and hosts that a spec names. Package
	// indexes of the engine and mirrors are reached in any case.
	Network api.Network
	// Within says what is wrong if inner allows more than outer.
	Within func(inner, outer api.Network) error
	// Never reports whether a host is out of reach whatever is allowed.
	Never func(host string) bool
	// Blob reads a stored blob, for the build contexts of Dockerfiles.
	Blob func(ctx context.Context, digest string) (io.ReadCloser, error)
	// Secret reads a stored secret, for the credentials of registries and for
	// builds that are given one.
	Secret func(name string) ([]byte, error)
	// Getenv reads the settings of pip, uv and proxies; nil means os.Getenv.
	Getenv func(string) string
	// Client reaches package indexes; nil means a client with sane time-outs.
	Client *http.Client
}

// Cell is what a build needs of a running cell; *cell.Cell has it.
type Cell interface {
	Put(ctx context.Context, dir string, write func(*tar.Writer) error) error
	Get(ctx context.Context, dir string, names []string, limits cell.GetLimits, read func(*tar.Header, io.Reader) error) error
	Exec(ctx context.Context, cmd cell.Command) (cell.Exit, error)
	Layer(ctx context.Context, w io.Writer) error
	Close() (cell.Death, error)
}

// Image is an image that is ready to run.
type Image struct {
	ID         string // the digest of the lock
	Name       string
	RootFS     string // path of the read-only EROFS file
	Env        []string
	Entrypoint []string
	Cmd        []string
	WorkingDir string
	User       string
	Python     string // absolute path of the interpreter in the image, or empty
	Lock       *Lock
	Built      bool // by this call, or by one that it waited for
}

// Service finds and builds images.
type Service struct {
	config  Config
	store   *store
	getenv  func(string) string
	client  *http.Client
	flights flights

	// The calls that tests replace.
	open    func(context.Context, string, oci.Options) (*oci.Image, error)
	flatten func(context.Context, []oci.Layer, string, oci.Limits) error
	inspect func(rootfs string, env []string) (rootInfo, error)
	ids     func() (idRange, error)
	roots   *x509.CertPool // of servers that ADD fetches from; nil means those of the host

	mu         sync.Mutex
	noRegistry string // why the default registry cannot be reached, once that is known
}

// New opens the store and removes what killed processes left in it.
func New(config Config) (*Service, error) {
	st := storeAt(config.Dir)
	if !config.ReadOnly {
		var err error
		if st, err = openStore(config.Dir); err != nil {
			return nil, err
		}
	}
	s := &Service{
		config: config, store: st, getenv: config.Getenv, client: config.Client,
		flights: flights{current: map[string]*flight{}},
		open:    oci.Open, flatten: oci.Flatten, inspect: inspectFile, ids: mmdebstrapIDs,
	}
	if s.getenv == nil {
		s.getenv = os.Getenv
	}
	if s.client == nil {
		s.client = &http.Client{Timeout: 10 * time.Minute}
	}
	if config.ReadOnly {
		return s, nil
	}
	return s, s.Sweep()
}

// Ensure gives the image of spec: from the store, from its registry, or built
// now. Concurrent calls for equal specs, in this process and in others, are
// one build. Progress may be nil.
func (s *Service) Ensure(ctx context.Context, spec api.ImageSpec, progress func(api.Progress)) (*Image, error) {
	canonical, err := Canonical(spec)
	if err != nil {
		return nil, err
	}
	name := firstOf(spec.Name, canonical.DefaultName())
	if rec, ok := s.store.bySpec(canonical); ok {
		s.store.touch(rec)
		if rec.Name != name && spec.Name != "" {
			return s.image(rec, false), s.rename(ctx, rec, name)
		}
		return s.image(rec, false), nil
	}
	if err := s.permit(canonical); err != nil {
		return nil, err
	}
	auth, err := s.auth(spec.RegistrySecret)
	if err != nil {
		return nil, err
	}
	if err := s.checkSecrets(spec.BuildSecrets); err != nil {
		return nil, err
	}
	order := order{spec: canonical, name: name, registry: spec.Registry, auth: auth, secrets: spec.BuildSecrets}
	key := digestJSON([]any{canonical, spec.Registry, spec.RegistrySecret, spec.BuildSecrets})
	return s.flights.do(ctx, key, progress, func(ctx context.Context, progress func(api.Progress)) (*Image, error) {
		return s.make(ctx, order, progress)
	})
}

// rename gives an image one more name, unless it has that.
func (s *Service) rename(ctx context.Context, rec *Record, name string) error {
	if has := (nameRecord{}); s.store.read("names", name+".json", &has) && has.Image == rec.ID {
		return nil
	}
	done, err := s.store.use(ctx)
	if err != nil {
		return err
	}
	defer done()
	return s.store.name(name, rec.ID)
}

// Known reports whether the image of spec is here already, so that Ensure needs
// no registry.
func (s *Service) Known(spec api.ImageSpec) bool {
	canonical, err := Canonical(spec)
	if err != nil {
		return false
	}
	_, ok := s.store.bySpec(canonical)
	return ok
}

// SpecDigest tells a spec from others, on all machines of one architecture alike. It is
// empty for one that is wrong.
func SpecDigest(spec api.ImageSpec) string {
	canonical, err := Canonical(spec)
	if err != nil {
		return ""
	}
	return canonical.Digest()
}

// Has reports whether the image of the spec with a digest is here.
func (s *Service) Has(specDigest string) bool {
	_, ok := s.store.bySpecDigest(specDigest)
	return ok
}

// Check refuses a spec that Ensure would refuse before it starts anything.
func (s *Service) Check(spec api.ImageSpec) error {
	canonical, err := Canonical(spec)
	if err != nil {
		return err
	}
	if _, ok := s.store.bySpec(canonical); ok {
		return nil
	}
	return s.permit(canonical)
}

// order is one image to be made.
type order struct {
	spec     Spec
	name     string
	registry string
	auth     oci.Options
	secrets  map[string]string // stored secrets of a Dockerfile, by their ids in it
}

// make is the one among all processes that makes the image. What a failed
// attempt left is collected.
func (s *Service) make(ctx context.Context, o order, progress func(api.Progress)) (*Image, error) {
	img, err := s.makeLocked(ctx, o, progress)
	if err == nil {
		return img, nil
	}
	// The error of the build matters more than one of the clean-up, which
	// comes again at the next start.
	_ = s.collect()
	if ctx.Err() != nil && !errors.Is(err, &api.Error{Code: api.Canceled}) {
		return nil, api.Errorf(api.Canceled, "image build: %w", context.Cause(ctx))
	}
	return nil, err
}

func (s *Service) makeLocked(ctx context.Context, o order, progress func(api.Progress)) (*Image, error) {
	done, err := s.store.use(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	release, err := s.store.only(ctx, o.spec.Digest())
	if err != nil {
		return nil, err
	}
	defer release()
	if rec, ok := s.store.bySpec(o.spec); ok {
		return s.image(rec, true), nil
	}
	var rec *Record
	if o.spec.Ref != "" {
		rec, err = s.prebuilt(ctx, o, progress)
	} else {
		rec, err = s.buildOrPull(ctx, o, progress)
	}
	if err != nil {
		return nil, err
	}
	if err := s.store.save(rec); err != nil {
		return nil, err
	}
	return s.image(rec, true), nil
}

func (s *Service) image(rec *Record, built bool) *Image {
	return &Image{
		ID: rec.ID, Name: rec.Name, RootFS: s.store.rootfs(rec.RootFS), Env: slices.Clip(rec.Config.Env),
		Entrypoint: slices.Clip(rec.Config.Entrypoint), Cmd: slices.Clip(rec.Config.Cmd), WorkingDir: rec.Config.WorkingDir,
		User: rec.Config.User, Python: rec.Python, Lock: rec.Lock, Built: built,
	}
}

// auth reads "user:password" from a stored secret.
func (s *Service) auth(secret string) (oci.Options, error) {
	if secret == "" {
		return oci.Options{}, nil
	}
	value, err := s.secret(secret)
	if err != nil {
		return oci.Options{}, err
	}
	user, password, ok := strings.Cut(strings.TrimSpace(string(value)), ":")
	if !ok || user == "" {
		return oci.Options{}, api.Errorf(api.RegistryDenied, "secret %q is not of the form user:password", secret).
			WithHint("store it again with: glovebox secret set %s", secret).
			WithDetails(api.Details{Field: "image.registry_secret"})
	}
	return oci.Options{Username: user, Password: password}, nil
}

// secret reads a stored secret.
func (s *Service) secret(name string) ([]byte, error) {
	if s.config.Secret == nil {
		return nil, api.Errorf(api.SecretNotFound, "secret %q cannot be read: no secrets are kept here", name)
	}
	return s.config.Secret(name)
}

// checkSecrets refuses a build that would fail where it first needs a secret, perhaps
// after minutes.
func (s *Service) checkSecrets(byID map[string]string) error {
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		if _, err := s.secret(byID[id]); err != nil {
			return api.AsError(err).WithHint("store it with glovebox secret set NAME, and name it: --build-secret %s=NAME", id).
				WithDetails(api.Details{Field: "image.build_secrets." + id, Expected: "the name of a stored secret"})
		}
	}
	return nil
}

// inspectFile looks into an EROFS file.
func inspectFile(rootfs string, env []string) (rootInfo, error) {
	root, closer, err := oci.OpenRootFS(rootfs)
	if err != nil {
		return rootInfo{}, err
	}
	defer closer.Close()
	return inspectRoot(root, env), nil
}
