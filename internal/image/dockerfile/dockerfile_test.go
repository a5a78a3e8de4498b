package dockerfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// last follows all stages that the target needs and gives the last one.
func last(t *testing.T, text string, o Options, base oci.Config) ([]Step, oci.Config) {
	t.Helper()
	if o.Platform == "" {
		o.Platform = "linux/amd64"
	}
	stages, err := Parse(text, o)
	if err != nil {
		t.Fatal(err)
	}
	var steps []Step
	var config oci.Config
	for _, st := range stages {
		if steps, config, err = st.Steps(base); err != nil {
			t.Fatal(err)
		}
	}
	return steps, config
}

func TestConfiguration(t *testing.T) {
	text := `ARG TAG=1
FROM base:$TAG
ARG WHO=world
ENV A=1 B="two $WHO" PATH=/opt/bin:$PATH
ENV A=3
LABEL greeting="hello $WHO"
WORKDIR /srv
WORKDIR app/$A
USER bob:staff
EXPOSE 80 8000-8001/udp $A
VOLUME /data /more
STOPSIGNAL SIGINT
HEALTHCHECK --interval=5s CMD true
SHELL ["/bin/bash", "-c"]
ENTRYPOINT ["/bin/run", "$A"]
CMD serve --now
`
	base := oci.Config{Env: []string{"PATH=/usr/bin"}, Cmd: []string{"old"}, Labels: map[string]string{"old": "1"}}
	steps, config := last(t, text, Options{Args: map[string]string{"WHO": "you"}}, base)
	none := struct{}{}
	want := oci.Config{
		Env:        []string{"PATH=/opt/bin:/usr/bin", "A=3", "B=two you"},
		Labels:     map[string]string{"old": "1", "greeting": "hello you"},
		WorkingDir: "/srv/app/3", User: "bob:staff",
		ExposedPorts: map[string]struct{}{"80/tcp": none, "8000/udp": none, "8001/udp": none, "3/tcp": none},
		Volumes:      map[string]struct{}{"/data": none, "/more": none},
		StopSignal:   "SIGINT", Shell: []string{"/bin/bash", "-c"},
		Healthcheck: &oci.Healthcheck{Test: []string{"CMD-SHELL", "true"}, Interval: 5e9},
		Entrypoint:  []string{"/bin/run", "$A"}, Cmd: []string{"/bin/bash", "-c", "serve --now"},
	}
	if diff := cmp.Diff(want, config); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
	if len(base.Labels) != 1 {
		t.Errorf("the configuration of the base was changed: %v", base)
	}
	var made []string
	for _, s := range steps {
		made = append(made, s.Mkdir.Path)
	}
	if diff := cmp.Diff([]string{"/srv", "/srv/app/3"}, made); diff != "" {
		t.Errorf("directories:\n%s", diff)
	}
}

// ENTRYPOINT takes away the CMD of the base, and not one of its own stage.
func TestEntrypointAndCmd(t *testing.T) {
	base := oci.Config{Cmd: []string{"old"}}
	for text, want := range map[string][]string{
		"FROM b\nENTRYPOINT [\"e\"]\n":                nil,
		"FROM b\nCMD [\"c\"]\nENTRYPOINT [\"e\"]\n":   {"c"},
		"FROM b\nENTRYPOINT [\"e\"]\nCMD [\"c\"]\n":   {"c"},
		"FROM b\nENV X=1\n":                           {"old"},
		"FROM b AS x\nCMD [\"c\"]\nFROM x\nENV Y=1\n": {"c"},
	} {
		if _, config := last(t, text, Options{}, base); !cmp.Equal(want, config.Cmd) {
			t.Errorf("%q gives CMD %q, want %q", text, config.Cmd, want)
		}
	}
}

func TestRun(t *testing.T) {
	text := `FROM base
ARG SECRET_ARG=x
ENV E=1
USER 10:20
WORKDIR /w
RUN echo $E && \
    echo two
RUN ["/bin/prog", "$E"]
RUN <<EOF
one
two
EOF
RUN <<-"EOF" python3
	print(1)
EOF
RUN <<EOF
#!/bin/prog
data
EOF
SHELL ["/bin/bash", "-ec"]
RUN --network=none true
`
	steps, _ := last(t, text, Options{}, oci.Config{})
	var got [][]string
	for _, s := range steps {
		if s.Run != nil {
			got = append(got, s.Run.Argv)
		}
	}
	want := [][]string{
		{"/bin/sh", "-c", "echo $E &&     echo two"},
		{"/bin/prog", "$E"},
		{"/bin/sh", "-c", "one\ntwo\n"},
		{"/bin/sh", "-c", "<<-\"EOF\" python3\n\tprint(1)\nEOF"},
		{"/run/glovebox/pipes/EOF"},
		{"/bin/bash", "-ec", "true"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("programs (-want +got):\n%s", diff)
	}
	end := steps[len(steps)-1].Run
	if !end.NoNetwork || end.User != "10:20" || end.Dir != "/w" {
		t.Errorf("the last program is %+v", end)
	}
	if diff := cmp.Diff([]string{"PATH=" + DefaultPath, "SECRET_ARG=x", "E=1"}, end.Env); diff != "" {
		t.Errorf("its environment:\n%s", diff)
	}
	if script := steps[len(steps)-2].Run.Script; script == nil || script.Data != "#!/bin/prog\ndata\n" {
		t.Errorf("the script is %+v", script)
	}
}

func TestMounts(t *testing.T) {
	text := `FROM base AS one
FROM base
WORKDIR /w
RUN --mount=type=cache,target=.cache,uid=5,mode=0700 \
    --mount=type=bind,from=one,source=etc,target=/mnt/etc \
    --mount=type=bind,target=. \
    --mount=type=tmpfs,target=/t \
    --mount=type=secret,id=key,required=true \
    --mount=type=secret,id=token,env=TOKEN \
    --mount=from=other:2,target=/o true
`
	steps, _ := last(t, text, Options{}, oci.Config{})
	mounts := steps[1].Run.Mounts
	if one := mounts[1].From.Stage; one == nil || one.Name != "one" {
		t.Errorf("the second mount is from %+v", mounts[1].From)
	}
	mounts[1].From = Source{}
	want := []Mount{
		{Kind: MountCache, Source: "/", Target: "/w/.cache", ID: "/w/.cache", UID: 5, Mode: 0o700},
		{Kind: MountBind, Source: "/etc", Target: "/mnt/etc"},
		{Kind: MountBind, Source: "/", Target: "/w"},
		{Kind: MountTmpfs, Source: "/", Target: "/t"},
		{Kind: MountSecret, Source: "/", Target: "/run/secrets/key", ID: "key", Required: true, Mode: 0o400},
		{Kind: MountSecret, Source: "/", ID: "token", Env: "TOKEN", Mode: 0o400},
		{Kind: MountBind, Source: "/", Target: "/o", From: Source{Image: "other:2"}},
	}
	if diff := cmp.Diff(want, mounts); diff != "" {
		t.Errorf("mounts (-want +got):\n%s", diff)
	}
}

func TestCopy(t *testing.T) {
	text := `FROM base AS one
FROM base
ARG DIR=lib
WORKDIR /app
COPY --chown=bob --chmod=640 $DIR/*.py ../../etc/x ./
COPY --from=0 --link /a b
COPY --from=one /a /b/
ADD src.tar.gz .
ADD --checksum=sha256:0000000000000000000000000000000000000000000000000000000000000000 https://example.com/$DIR.tar?a=1 lib.tar
COPY <<A <<B /conf/
value $DIR
A
b
B
`
	steps, _ := last(t, text, Options{}, oci.Config{})
	var got []Copy
	for _, s := range steps[1:] {
		if s.Copy.From.Stage != nil {
			s.Copy.From = Source{Image: "stage " + s.Copy.From.Stage.Name}
		}
		got = append(got, *s.Copy)
	}
	want := []Copy{
		{Sources: []string{"/lib/*.py", "/etc/x"}, Dest: "/app/", Chown: "bob", Chmod: "640"},
		{Sources: []string{"/a"}, Dest: "/app/b", From: Source{Image: "stage one"}},
		{Sources: []string{"/a"}, Dest: "/b/", From: Source{Image: "stage one"}},
		{Sources: []string{"/src.tar.gz"}, Dest: "/app/", Unpack: true},
		{URLs: []string{"https://example.com/lib.tar?a=1"}, Dest: "/app/lib.tar", Unpack: true, Checksum: "sha256:" + strings.Repeat("0", 64)},
		{Files: []File{{"A", "value lib\n"}, {"B", "b\n"}}, Dest: "/conf/"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("copies (-want +got):\n%s", diff)
	}
}

// Only what the target needs is built, each stage behind those that it needs.
func TestStages(t *testing.T) {
	text := `ARG BASE=one
FROM scratch AS none
FROM image AS one
FROM $BASE AS two
COPY --from=none /x /x
FROM image AS unused
FROM two AS three
RUN --mount=type=bind,from=four,target=/x true
FROM image AS four
`
	names := func(o Options) string {
		o.Platform = "linux/amd64"
		stages, err := Parse(text, o)
		if err != nil {
			return api.AsError(err).Message
		}
		var out []string
		for _, s := range stages {
			out = append(out, s.Name)
		}
		return strings.Join(out, " ")
	}
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{}, "four"},
		{Options{Target: "TWO"}, "none one two"},
		{Options{Target: "two", Args: map[string]string{"BASE": "other"}}, "none two"},
		{Options{Target: "three"}, "Dockerfile:8: from=four is not an earlier stage"},
		{Options{Target: "five"}, `Dockerfile: there is no stage "five"`},
	} {
		if got := names(test.o); got != test.want {
			t.Errorf("%+v gives %q, want %q", test.o, got, test.want)
		}
	}
}

func TestArguments(t *testing.T) {
	text := "ARG V=global\nFROM base AS a\nARG V\nARG W=$V-w\nENV OUT=$V/$W/$TARGETARCH\nARG TARGETARCH\nENV ARCH=$TARGETARCH\nFROM a\nENV LATE=$W\n"
	for _, test := range []struct {
		args map[string]string
		want []string
	}{
		{nil, []string{"OUT=global/global-w/", "ARCH=amd64", "LATE=global-w"}},
		{map[string]string{"V": "given", "W": "w"}, []string{"OUT=given/w/", "ARCH=amd64", "LATE=w"}},
	} {
		_, config := last(t, text, Options{Args: test.args}, oci.Config{Env: []string{"PATH=/"}})
		if diff := cmp.Diff(test.want, config.Env[1:]); diff != "" {
			t.Errorf("%v:\n%s", test.args, diff)
		}
	}
}

// ONBUILD of a base comes before the instructions of the stage, once.
func TestOnBuild(t *testing.T) {
	base := oci.Config{OnBuild: []string{"ENV FROM_BASE=1", "WORKDIR /based"}}
	steps, config := last(t, "FROM base\nWORKDIR sub\nONBUILD RUN later\n", Options{}, base)
	if len(steps) != 2 || steps[1].Mkdir.Path != "/based/sub" {
		t.Errorf("steps %+v", steps)
	}
	if diff := cmp.Diff([]string{"RUN later"}, config.OnBuild); diff != "" {
		t.Errorf("triggers that are left:\n%s", diff)
	}
}

// Anything unsupported or wrong is an error with its line, and never ignored.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                        "Dockerfile: file with no instructions",
		"RUN true\n":                                              "Dockerfile:1: no build stage in current context",
		"FROM b\n\nFETCH x\n":                                     "Dockerfile:3: unknown instruction: FETCH",
		"FROM b\nCOPY a\n":                                        "Dockerfile:2: COPY requires at least two arguments",
		"FROM $NOTHING\n":                                         "Dockerfile:1: FROM $NOTHING names no image",
		"FROM --platform=linux/s390x b\n":                         "Dockerfile:1: FROM --platform=linux/s390x",
		"FROM b\nRUN --network=host true\n":                       "Dockerfile:2: RUN --network=host is not supported",
		"FROM b\nRUN --security=insecure true\n":                  "Dockerfile:2: unknown flag: --security",
		"FROM b\nRUN --device=x true\n":                           "Dockerfile:2: RUN --device is not supported",
		"FROM b\nRUN --mount=type=ssh true\n":                     "Dockerfile:2: RUN --mount=type=ssh is not supported",
		"FROM b\nRUN --mount=type=tmpfs true\n":                   `Dockerfile:2: RUN --mount=type=tmpfs has the target ""`,
		"FROM b\nRUN --mount=target=/ true\n":                     `Dockerfile:2: RUN --mount=type=bind has the target "/"`,
		"FROM b\nCOPY --from=$X a /b\n":                           "Dockerfile:2: from=$X has a variable",
		"FROM b\nCOPY --from=7 a /b\n":                            "Dockerfile:2: from=7, and there is no such stage",
		"FROM b AS me\nCOPY --from=me a /b\n":                     "Dockerfile:2: from=me is not an earlier stage",
		"FROM b\nCOPY https://example.com/a /b\n":                 "Dockerfile:2: COPY takes no URL",
		"FROM b\nADD ftp://example.com/a /b\n":                    "Dockerfile:2: ADD of the URL ftp://example.com/a is not supported",
		"FROM b\nADD --checksum=md5:0 https://example.com/a /b\n": "Dockerfile:2: ADD --checksum=md5:0 is not sha256:",
		"FROM b\nADD --checksum=sha256:" + strings.Repeat("0", 64) + " a /b\n":                                          "Dockerfile:2: ADD --checksum needs one source, which is a URL",
		"FROM b\nADD --checksum=sha256:" + strings.Repeat("0", 64) + " https://example.com/a https://example.com/b /\n": "Dockerfile:2: ADD --checksum needs one source, which is a URL",
		"FROM b\nADD --unpack=true https://example.com/a.tar /\n":                                                       "Dockerfile:2: ADD --unpack of a URL is not supported",
		"FROM b\nADD git@github.com:a/b.git /b\n":                                                                       "Dockerfile:2: ADD of the git repository git@github.com:a/b.git",
		"FROM b\nADD https://a.b/c.git#v1 /b\n":                                                                         "Dockerfile:2: ADD of the git repository https://a.b/c.git#v1",
		"FROM b\nEXPOSE http\n":                                                                                         "Dockerfile:2: EXPOSE http:",
		"FROM b\nEXPOSE 70000\n":                                                                                        "Dockerfile:2: EXPOSE 70000:",
		"FROM b\nENV A=${B?missing}\n":                                                                                  "Dockerfile:2:",
		"FROM b\nHEALTHCHECK --interval=x CMD a\n":                                                                      "Dockerfile:2:",
	} {
		stages, err := Parse(text, Options{Platform: "linux/amd64"})
		for _, st := range stages {
			if _, _, err = st.Steps(oci.Config{}); err != nil {
				break
			}
		}
		if e := api.AsError(err); e == nil || e.Code != api.InvalidTask || !strings.HasPrefix(e.Message, want) || e.Details.Field == "" {
			t.Errorf("%q gives %+v, want %q", text, e, want)
		}
	}
	_, err := Parse("FROM b\n", Options{Args: map[string]string{"TYPO": "1"}})
	if e := api.AsError(err); e == nil || e.Details.Field != "image.build_args" || e.Hint == "" {
		t.Errorf("an argument that nothing takes gives %+v", e)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("FROM b\nRUN <<EOF\nx\nEOF\nCOPY --from=0 a b\nEXPOSE 1-2\n")
	f.Fuzz(func(t *testing.T, text string) {
		stages, err := Parse(text, Options{Platform: "linux/amd64"})
		if err != nil {
			return
		}
		for _, st := range stages {
			if _, _, err := st.Steps(oci.Config{}); err != nil {
				return
			}
		}
	})
}
