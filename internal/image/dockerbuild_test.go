package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// contexts are stored build contexts by their digests.
type contexts map[string][]byte

func (c contexts) open(_ context.Context, digest string) (io.ReadCloser, error) {
	data, ok := c[digest]
	if !ok {
		return nil, api.Errorf(api.ImageNotFound, "no blob %s", digest)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// add stores a context of headers and contents.
func (c contexts) add(t testing.TB, entries ...entry) string {
	t.Helper()
	data := tarOf(t, entries...)
	digest := oci.DigestOf(data).Hex()
	c[digest] = data
	return digest
}

func tarOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.content)), Linkname: e.target}
		if e.target != "" {
			h.Typeflag = tar.TypeSymlink
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// dockerService builds on a base of a registry that is a function of this test.
func dockerService(t testing.TB, cells *fakeCells, stored contexts) *Service {
	t.Helper()
	s := fakeService(t, t.TempDir(), cells)
	s.config.Blob = stored.open
	passwd := entry{name: "etc/passwd", content: "root:x:0:0::/root:/bin/sh\nbob:x:70:80::/home/bob:/bin/sh\n"}
	group := entry{name: "etc/group", content: "root:x:0:\nstaff:x:90:bob\n"}
	base := writeBase(t, oci.Config{Env: []string{"PATH=/usr/bin"}, Cmd: []string{"bash"}}, append(debianLike(), passwd, group))
	s.open = func(ctx context.Context, ref string, o oci.Options) (*oci.Image, error) {
		if !strings.HasPrefix(ref, "docker.io/") {
			t.Errorf("%s was opened", ref)
		}
		return oci.Open(ctx, base, o)
	}
	return s
}

// rootOf shows the files of an image, each with its mode, its owner and what is
// in it.
func rootOf(t testing.TB, img *Image, names ...string) []string {
	t.Helper()
	root, closer, err := oci.OpenRootFS(img.RootFS)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	var out []string
	for _, name := range names {
		info, err := fs.Lstat(root, name)
		if err != nil {
			out = append(out, name+" is not there")
			continue
		}
		line := name + " " + info.Mode().String()
		if owned, ok := info.(interface{ UID() uint32 }); ok && owned.UID() != 0 {
			line += " of " + string(rune('0'+owned.UID()/10)) + "0"
		}
		if info.Mode().IsRegular() {
			text, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			line += " = " + string(text)
		}
		out = append(out, line)
	}
	return out
}

func TestDockerfile(t *testing.T) {
	stored, cells := contexts{}, &fakeCells{}
	s := dockerService(t, cells, stored)
	var archive bytes.Buffer
	zip := gzip.NewWriter(&archive)
	zip.Write(tarOf(t, entry{name: "in/side", content: "packed"}))
	zip.Close()
	spec := api.ImageSpec{
		Dockerfile: "FROM python:3.12 AS build\nRUN make\nFROM python:3.12\nENV A=1\nWORKDIR /srv\nCOPY --chown=bob src/ code/\n" +
			"COPY --from=build /opt/done-* /made/\nADD packed.tar.gz /unpacked\nCOPY <<X /text\nhi\nX\nUSER bob:staff\nRUN [\"/bin/last\", \"word\"]\nCMD [\"run\"]\n",
		Context: stored.add(t, entry{name: "src/a", content: "A"}, entry{name: "src/link", target: "/etc/passwd"},
			entry{name: "packed.tar.gz", content: archive.String()}),
	}
	img, err := s.Ensure(t.Context(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(img.Cmd, []string{"run"}) || !slices.Equal(img.Env, []string{"PATH=/usr/bin", "A=1"}) || img.WorkingDir != "/srv" || img.User != "bob:staff" {
		t.Errorf("image %+v", img)
	}
	if diff := cmp.Diff([]string{"/bin/sh -c make", "/bin/last word"}, cells.ran); diff != "" {
		t.Errorf("programs:\n%s", diff)
	}
	for _, c := range cells.specs {
		if !slices.Equal(c.Temporary, []string{toolDir}) || c.Resources != stepResources() || c.Wall != stepTime || c.Serve == nil {
			t.Errorf("cell %+v", c)
		}
	}
	done := "done-" + oci.DigestOf([]byte("/bin/sh -c make")).Hex()[:8]
	want := []string{
		"srv/code drwxr-xr-x of 70", "srv/code/a -rw-r--r-- of 70 = A", "srv/code/link Lrw-r--r-- of 70", "made/" + done + " -rw-r--r-- = /bin/sh -c make",
		"unpacked/in/side -rw-r--r-- = packed", "text -rw-r--r-- = hi\n", "opt/" + done + " is not there",
	}
	if diff := cmp.Diff(want, rootOf(t, img, "srv/code", "srv/code/a", "srv/code/link", "made/"+done, "unpacked/in/side", "text", "opt/"+done)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if cells.open != 0 {
		t.Errorf("%d cells were not closed", cells.open)
	}
}

// A second build does nothing, and a change begins where it counts.
func TestDockerfileAgain(t *testing.T) {
	stored, cells := contexts{}, &fakeCells{}
	s := dockerService(t, cells, stored)
	text := "FROM python:3.12 AS other\nRUN other\nFROM python:3.12\nARG V\nCOPY first /\nRUN one\nCOPY second /\nCOPY --from=other /opt /opt\nRUN two\n"
	build := func(text, first, second string, args map[string]string) (ran []string) {
		t.Helper()
		cells.ran = nil
		spec := api.ImageSpec{Dockerfile: text, BuildArgs: args, Context: stored.add(t, entry{name: "first", content: first}, entry{name: "second", content: second})}
		if _, err := s.Ensure(t.Context(), spec, nil); err != nil {
			t.Fatal(err)
		}
		// Collecting leaves what an image was built with.
		if err := s.Sweep(); err != nil {
			t.Fatal(err)
		}
		for _, line := range cells.ran {
			ran = append(ran, strings.TrimPrefix(line, "/bin/sh -c "))
		}
		return ran
	}
	for _, test := range []struct {
		name string
		ran  []string
		want []string
	}{
		{"the first build", build(text, "1", "1", nil), []string{"other", "one", "two"}},
		{"the same again", build(text, "1", "1", nil), nil},
		{"a late copy", build(text, "1", "2", nil), []string{"two"}},
		{"an early copy", build(text, "2", "2", nil), []string{"one", "two"}},
		{"the configuration", build(text+"CMD x\n", "1", "1", nil), nil},
		{"an argument", build(text, "1", "1", map[string]string{"V": "1"}), []string{"one", "two"}},
	} {
		if diff := cmp.Diff(test.want, test.ran); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Errors say at which line they came up.
func TestDockerfileFails(t *testing.T) {
	stored := contexts{}
	context := stored.add(t, entry{name: "a"}, entry{name: "packed.tar.xz", content: "\xfd7zXZ\x00"})
	for name, test := range map[string]struct {
		text, message string
		code          api.Code
		without       bool // a context
	}{
		"a program":               {"FROM python:3.12\nRUN fails", "Dockerfile:2: RUN fails: it ended with status 3: oh no", api.BuildFailed, false},
		"no file":                 {"FROM python:3.12\nCOPY none /", `Dockerfile:2: COPY none /: "/none": there is no such file`, api.BuildFailed, false},
		"no user":                 {"FROM python:3.12\nUSER eve\nRUN x", "Dockerfile:3: RUN x: USER eve: unable to find user eve", api.BuildFailed, false},
		"no owner":                {"FROM python:3.12\nCOPY --chown=eve a /", `Dockerfile:2: COPY --chown=eve a /: there is no user "eve"`, api.BuildFailed, false},
		"no mode":                 {"FROM python:3.12\nCOPY --chmod=u+x a /", "Dockerfile:2: COPY --chmod=u+x a /: --chmod=u+x is not a mode", api.InvalidTask, false},
		"no context":              {"FROM python:3.12\nCOPY a /", "Dockerfile:2: COPY a /: it needs a build context", api.InvalidTask, true},
		"a path of the host":      {"FROM /etc", "Dockerfile:1: FROM /etc: image /etc: it has neither index.json", api.ImageInvalid, false},
		"an archive of the host":  {"FROM archive:/etc/passwd", "Dockerfile:1: FROM archive:/etc/passwd: an archive of an image", api.InvalidTask, false},
		"xz":                      {"FROM python:3.12\nADD packed.tar.xz /", `Dockerfile:2: ADD packed.tar.xz /: "/packed.tar.xz" is compressed with xz`, api.BuildFailed, false},
		"a secret that is needed": {"FROM python:3.12\nRUN --mount=type=secret,id=k,required=true x", "Dockerfile:2: RUN --mount=type=secret,id=k,required=true x: the build needs the secret \"k\"", api.SecretNotFound, false},
		"the text":                {"FROM python:3.12\nRUM x", "Dockerfile:2: unknown instruction: RUM", api.InvalidTask, false},
	} {
		t.Run(name, func(t *testing.T) {
			cells := &fakeCells{program: says("fails", "oh no\n", 3)}
			spec := api.ImageSpec{Dockerfile: test.text, Context: context}
			if test.without {
				spec.Context = ""
			}
			_, err := dockerService(t, cells, stored).Ensure(t.Context(), spec, nil)
			if e := api.AsError(err); e == nil || e.Code != test.code || !strings.HasPrefix(e.Message, test.message) {
				t.Errorf("got %v, want %s %q", err, test.code, test.message)
			}
		})
	}
}

// A Dockerfile says itself what other fields would.
func TestDockerfileSpec(t *testing.T) {
	for name, test := range map[string]struct {
		spec  api.ImageSpec
		field string
	}{
		"beside packages":          {api.ImageSpec{Dockerfile: "FROM a", Packages: []string{"x"}}, "image.packages"},
		"beside a prebuilt image":  {api.ImageSpec{Dockerfile: "FROM a", Ref: "b"}, "image.ref"},
		"arguments of nothing":     {api.ImageSpec{BuildArgs: map[string]string{"a": "b"}}, "image.build_args"},
		"a context of nothing":     {api.ImageSpec{Ref: "b", Context: "c"}, "image.context"},
		"a context that is a path": {api.ImageSpec{Dockerfile: "FROM a", Context: "/etc"}, "image.context"},
		"credentials for anybody":  {api.ImageSpec{Dockerfile: "FROM a", RegistrySecret: "s"}, "image.registry_secret"},
		"a text without end":       {api.ImageSpec{Dockerfile: strings.Repeat("#", maxDockerfile+1)}, "image.dockerfile"},
	} {
		if _, err := Canonical(test.spec); err == nil || api.AsError(err).Details.Field != test.field {
			t.Errorf("%s: got %v, want an error of %s", name, err, test.field)
		}
	}
}

// While no registry can be reached, a Debian of the mirror stands in for the
// official image of it, and for no other.
func TestDockerfileWithoutRegistry(t *testing.T) {
	s := dockerService(t, &fakeCells{}, contexts{})
	s.open = func(context.Context, string, oci.Options) (*oci.Image, error) {
		return nil, api.Errorf(api.RegistryUnavailable, "docker.io: gone")
	}
	mirror := baseRecord{Base: Base{Kind: "debian", Ref: "debian:trixie"}, Layers: []oci.Layer{}}
	layer, err := s.store.blobs.AddLayer(t.Context(), bytes.NewReader(tarOf(t, entry{name: "etc/x"})), oci.LayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mirror.Layers = append(mirror.Layers, layer)
	key, _, _ := s.keptBase(Spec{Base: "debian:trixie", Platform: platform()})
	if err := s.store.write("bases", key+".json", mirror); err != nil {
		t.Fatal(err)
	}
	img, err := s.Ensure(t.Context(), api.ImageSpec{Dockerfile: "FROM debian:trixie-slim\n"}, nil)
	if err != nil || img.Lock.Base.Ref != "debian:trixie" {
		t.Errorf("got %+v, %v", img, err)
	}
	_, err = s.Ensure(t.Context(), api.ImageSpec{Dockerfile: "FROM alpine\n"}, nil)
	if !errors.Is(err, &api.Error{Code: api.RegistryUnavailable}) || !strings.HasPrefix(api.AsError(err).Message, "Dockerfile:1: FROM alpine: ") {
		t.Errorf("got %v", err)
	}
}

// The user of a program is found in the image, and a secret reaches it alone.
func TestDockerfileRun(t *testing.T) {
	stored := contexts{}
	var seen []cell.Command
	cells := &fakeCells{program: func(_ context.Context, cmd cell.Command) (cell.Exit, error) {
		seen = append(seen, cmd)
		return cell.Exit{}, nil
	}}
	s := dockerService(t, cells, stored)
	s.config.Secret = func(name string) ([]byte, error) { return []byte("value of " + name), nil }
	text := "FROM python:3.12\nENV http_proxy=http://elsewhere PIP_INDEX_URL=https://mine/\nARG A=arg\nUSER bob\nWORKDIR /w\n" +
		"RUN --mount=type=secret,id=t,env=TOKEN --mount=type=secret,id=f --mount=type=cache,target=/c --mount=type=tmpfs,target=/t one\nRUN --network=none two\n"
	img, err := s.Ensure(t.Context(), api.ImageSpec{Dockerfile: text, BuildSecrets: map[string]string{"t": "stored", "f": "file"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, second := seen[0], seen[1]
	if diff := cmp.Diff(&cell.Identity{UID: 70, GID: 80, Groups: []int{90}}, first.As); diff != "" || first.Dir != "/w" {
		t.Errorf("the program runs in %s as (-want +got):\n%s", first.Dir, diff)
	}
	for _, v := range []string{"A=arg", "HOME=/home/bob", "TOKEN=value of stored", "http_proxy=http://" + cell.ProxyAddress, "PIP_INDEX_URL=https://mine/"} {
		if !slices.Contains(first.Env, v) {
			t.Errorf("the environment lacks %s: %q", v, first.Env)
		}
	}
	if diff := cmp.Diff([]string{toolDir, "/run/secrets", "/c", "/t"}, cells.specs[0].Temporary); diff != "" {
		t.Errorf("mounts:\n%s", diff)
	}
	if cells.specs[1].Serve != nil || slices.Contains(second.Env, "http_proxy=http://"+cell.ProxyAddress) || slices.Contains(second.Env, "TOKEN=value of stored") {
		t.Errorf("without a network: %q", second.Env)
	}
	if !bytes.Contains(cells.put, []byte("value of file")) {
		t.Error("the file of the secret was not put into the cell")
	}
	if lock := string(img.Lock.Encode()); strings.Contains(lock, "value of") {
		t.Errorf("the lock has a secret: %s", lock)
	}
}

// A secret that is not stored is missed before anything is built.
func TestDockerfileSecretIsMissing(t *testing.T) {
	cells := &fakeCells{program: func(context.Context, cell.Command) (cell.Exit, error) { return cell.Exit{}, nil }}
	s := dockerService(t, cells, contexts{})
	s.config.Secret = func(name string) ([]byte, error) {
		return nil, api.Errorf(api.SecretNotFound, "there is no secret %q", name)
	}
	text := "FROM python:3.12\nRUN one\nRUN --mount=type=secret,id=t two\n"
	_, err := s.Ensure(t.Context(), api.ImageSpec{Dockerfile: text, BuildSecrets: map[string]string{"t": "/home/me/token"}}, nil)
	if e := api.AsError(err); e.Code != api.SecretNotFound || e.Details.Field != "image.build_secrets.t" || len(cells.specs) > 0 {
		t.Errorf("got %+v after %d steps", e, len(cells.specs))
	}
}

// B13: the images that a Dockerfile names get credentials only if they are of
// the registry that these are for.
func TestDockerfileCredentials(t *testing.T) {
	s := dockerService(t, &fakeCells{}, contexts{})
	s.config.Secret = func(string) ([]byte, error) { return []byte("me:password"), nil }
	open, seen := s.open, map[string]string{}
	s.open = func(ctx context.Context, ref string, o oci.Options) (*oci.Image, error) {
		seen[ref] = o.Username
		if strings.HasPrefix(ref, "mine.example/out/") {
			return nil, api.Errorf(api.ImageNotFound, "not yet")
		}
		return open(ctx, "docker.io/x", o)
	}
	spec := api.ImageSpec{
		Dockerfile: "FROM mine.example/base AS a\nFROM other.example/base\nCOPY --from=a /etc/passwd /\nCOPY --from=library /etc/passwd /\nRUN fails\n",
		Registry:   "mine.example/out", RegistrySecret: "s",
	}
	s.config.Start = func(context.Context, cell.Spec) (Cell, error) { return nil, errors.New("enough") }
	if _, err := s.Ensure(t.Context(), spec, nil); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Fatal(err)
	}
	for ref, user := range seen {
		if own := strings.HasPrefix(ref, "mine.example/"); own != (user == "me") {
			t.Errorf("%s is opened by %q", ref, user)
		}
	}
	if len(seen) != 4 {
		t.Errorf("opened: %v", seen)
	}
}
