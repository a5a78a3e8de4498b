package realtest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// directory keeps stored contexts as files.
type directory string

func (d directory) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return "", 0, err
	}
	digest := strings.TrimPrefix(api.DigestOf(data), "sha256:")
	return digest, int64(len(data)), os.WriteFile(filepath.Join(string(d), digest), data, 0o600)
}

func (d directory) open(_ context.Context, digest string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(d), digest))
}

// smallBase is an image with a shell and two users, made by a Dockerfile itself.
const smallBase = `FROM debian:bookworm AS get
RUN apt-get update && apt-get install -y --no-install-recommends busybox-static
FROM scratch
COPY --from=get /bin/busybox /bin/busybox
RUN ["/bin/busybox", "--install", "-s", "/bin"]
WORKDIR /etc
WORKDIR /
COPY --chmod=644 <<passwd <<group /etc/
root:x:0:0:root:/root:/bin/sh
app:x:1001:1002:app:/home/app:/bin/sh
passwd
root:x:0:
app:x:1002:
extra:x:1003:app
group
RUN mkdir -p /root /home/app /usr/bin && chown app:app /home/app && mkdir -p /tmp /var/tmp && chmod 1777 /tmp /var/tmp && ln -s bin /sbin
ENV PATH=/bin LANG=C.UTF-8
CMD ["/bin/sh"]
`

// dockerCase is a Dockerfile in the shape of those that people write.
type dockerCase struct {
	text   string            // with FROM $BASE
	files  map[string]string // of the context: "MODE CONTENT", "-> TARGET" for a link
	args   map[string]string
	target string
	facts  []string // files of the image, as rootLine has them
	config oci.Config
	newer  bool     // than the frontend of old Dockers
	stubs  []string // directories that old Dockers leave where something was mounted
}

func dockerCases() map[string]dockerCase {
	return map[string]dockerCase{
		"an application with a user": {
			text: `ARG BASE
FROM $BASE
ENV APP_HOME=/srv/app
ENV PATH=$APP_HOME/bin:$PATH
WORKDIR $APP_HOME
COPY requirements.txt .
RUN wc -l < requirements.txt > installed
COPY --chown=app:extra . .
USER app
RUN id > ~/who && umask > ~/mask
EXPOSE 8080
LABEL org.example.name="app" org.example.text="two words"
ENTRYPOINT ["sh", "-c"]
CMD ["serve"]
`,
			files: map[string]string{"requirements.txt": "640 six\n", "bin/serve": "755 #!/bin/sh\n", "lib/a.py": "664 pass\n", "lib/deep/b.py": "600 pass\n", "link": "-> lib/a.py",
				".dockerignore": "644 .git\n**/*.log\n", ".git/HEAD": "644 ref\n", "lib/x.log": "644 x\n"},
			facts: []string{"srv/app drwxr-xr-x 0:0", "srv/app/installed -rw-r--r-- 0:0 1\n", "srv/app/requirements.txt -rw-r----- 1001:1003 six\n", "srv/app/lib/deep/b.py -rw------- 1001:1003 pass\n",
				"srv/app/link Lrwxrwxrwx 1001:1003 -> lib/a.py", "srv/app/.git absent", "srv/app/lib/x.log absent", "home/app/who -rw-r--r-- 1001:1002 uid=1001(app) gid=1002(app) groups=1003(extra)\n"},
			config: oci.Config{WorkingDir: "/srv/app", User: "app", Cmd: []string{"serve"}, Entrypoint: []string{"sh", "-c"}},
		},
		"stages": {
			text: `ARG BASE
FROM $BASE AS build
WORKDIR /src
COPY src/*.c ./
RUN cat *.c > out && chmod 755 out && chown 7:8 out && ln -s out latest && mkdir -m 700 kept && echo k > kept/file
FROM $BASE AS test
RUN false
FROM $BASE
COPY --from=build /src/out /usr/local/bin/tool
COPY --from=build /src/latest /usr/local/lib/
COPY --from=build /src/kept /kept
COPY --from=0 /src /all
`,
			files: map[string]string{"src/a.c": "644 a\n", "src/b.c": "644 b\n", "src/c.h": "644 h\n"},
			facts: []string{"usr/local/bin/tool -rwxr-xr-x 7:8 a\nb\n", "usr/local/lib/latest -rwxr-xr-x 7:8 a\nb\n", "kept drwxr-xr-x 0:0", "kept/file -rw-r--r-- 0:0 k\n",
				"all/kept drwx------ 0:0", "all/latest Lrwxrwxrwx 0:0 -> out", "all/c.h absent"},
		},
		"arguments and variables": {
			text: `ARG BASE
ARG VERSION=1.0
FROM $BASE
ARG VERSION
ARG NAME=world
ARG GREETING="hello ${NAME:-nobody}"
ENV V=$VERSION G="$GREETING" \
    EMPTY= FALLBACK=${MISSING:-fallback} ALT=${V:+set}
RUN echo "$V|$G|$EMPTY|$FALLBACK|$ALT|$NAME" > /values
WORKDIR /a
WORKDIR b/$V
WORKDIR ../c
RUN pwd > pwd
STOPSIGNAL SIGTERM
VOLUME ["/data"]
HEALTHCHECK --interval=30s --timeout=5s --retries=2 CMD ["true", "$V"]
SHELL ["/bin/sh", "-ec"]
CMD exec serve $V
`,
			args:   map[string]string{"VERSION": "2.5", "NAME": "you"},
			facts:  []string{"values -rw-r--r-- 0:0 2.5|hello you||fallback||you\n", "a/b/c/pwd -rw-r--r-- 0:0 /a/b/c\n", "a/b/2.5 drwxr-xr-x 0:0"},
			config: oci.Config{WorkingDir: "/a/b/c", Cmd: []string{"/bin/sh", "-ec", "exec serve $V"}},
		},
		"owners and modes": {
			text: `ARG BASE
FROM $BASE
RUN mkdir -p /opt/one
COPY --chown=app --chmod=750 tree /opt/one
COPY --chown=12:34 tree/sub /opt/two/
COPY --chown=app:extra tree/f /opt/
`,
			files: map[string]string{"tree/f": "600 f\n", "tree/sub/g": "777 g\n"},
			facts: []string{"opt/one drwxr-xr-x 0:0", "opt/one/sub drwxr-x--- 1001:1002", "opt/one/sub/g -rwxr-x--- 1001:1002 g\n", "opt/two drwxr-xr-x 12:34", "opt/two/g -rwxrwxrwx 12:34 g\n", "opt/f -rw------- 1001:1003 f\n"},
		},
		"wildcards and directories": {
			text: `ARG BASE
FROM $BASE
RUN mkdir /there && ln -s there /linked && echo old > /there/a.txt && chmod 700 /there
COPY *.txt conf.? /there
COPY a.txt /linked/renamed.txt
COPY dir /there/
COPY dir/ /new
COPY dir/in*/deep.t[xy]t /flat/
COPY no-such-* a.txt /some/
`,
			files: map[string]string{"a.txt": "644 new\n", "b.txt": "600 b\n", "conf.d/x": "644 x\n", "conf.e": "644 e\n", "dir/inner/deep.txt": "644 d\n", "dir/top": "4755 t\n", "dir/inner/l": "-> /etc/passwd"},
			facts: []string{"there drwx------ 0:0", "there/a.txt -rw-r--r-- 0:0 new\n", "there/conf.e -rw-r--r-- 0:0 e\n", "there/x -rw-r--r-- 0:0 x\n", "there/renamed.txt -rw-r--r-- 0:0 new\n",
				"there/top urwxr-xr-x 0:0 t\n", "new/inner/l Lrwxrwxrwx 0:0 -> /etc/passwd", "flat/deep.txt -rw-r--r-- 0:0 d\n", "some/a.txt -rw-r--r-- 0:0 new\n"},
		},
		"archives": {
			text: `ARG BASE
FROM $BASE
ADD packed.tgz plain.tar /unpacked/
ADD --chown=app packed.tgz /owned
COPY packed.tgz /plain/
ADD notes.gz /notes/
ADD dir /dir
`,
			files: map[string]string{"notes.gz": "644 no archive\n", "dir/f": "644 f\n", "packed.tgz": "644 " + archived(true), "plain.tar": "644 " + archived(false)},
			facts: []string{"notes/notes.gz -rw-r--r-- 0:0 no archive\n", "dir/f -rw-r--r-- 0:0 f\n", "unpacked/in/one -rw-r----- 5:6 1\n", "unpacked/in/s urwxr-xr-x 0:0 s\n",
				"unpacked/in/l Lrwxrwxrwx 0:0 -> one", "owned drwxr-xr-x 1001:1002", "owned/in/one -rw-r----- 5:6 1\n"},
		},
		"what programs leave": {
			text: `ARG BASE
FROM $BASE
COPY a /tmp/a
RUN cat /tmp/a > /tmp/b && mkdir -p /run/app /work && echo r > /run/app/r && echo w > /work/w
RUN rm -r /home/app && mkdir /home/app && echo n > /home/app/new && rm /tmp/a && ln /tmp/b /tmp/c && mkfifo /tmp/pipe
RUN --mount=type=tmpfs,target=/scratch --mount=type=cache,target=/var/cache/x echo gone > /scratch/f && echo kept > /var/cache/x/f
RUN --mount=type=bind,target=/ctx --mount=type=bind,source=a,target=/one cat /ctx/a /one > /both
`,
			files: map[string]string{"a": "644 a\n"},
			facts: []string{"tmp/a absent", "tmp/b -rw-r--r-- 0:0 a\n", "run/app/r -rw-r--r-- 0:0 r\n", "work/w -rw-r--r-- 0:0 w\n", "home/app/new -rw-r--r-- 0:0 n\n", "both -rw-r--r-- 0:0 a\na\n",
				"scratch absent", "ctx absent", "var/cache absent"},
			stubs: []string{"ctx", "scratch", "var/cache", "var/cache/x"},
		},
		"heredocs": {
			newer: true,
			text: `ARG BASE
FROM $BASE
ARG WHO=me
RUN <<EOF
set -e
echo one > /one
EOF
RUN <<EOF
#!/bin/sh
echo "$0" > /script
EOF
RUN cat <<A - <<B > /two
a
A
b
B
COPY --chown=app <<-CONF /etc/app.conf
	who = $WHO
CONF
COPY --chmod=600 <<"RAW" /etc/raw
$WHO
RAW
COPY --link a /linked/
`,
			files: map[string]string{"a": "644 a\n"},
			facts: []string{"one -rw-r--r-- 0:0 one\n", "script -rw-r--r-- 0:0 /run/glovebox/pipes/EOF\n", "etc/app.conf -rw-r--r-- 1001:1002 who = me\n", "etc/raw -rw------- 0:0 $WHO\n", "linked/a -rw-r--r-- 0:0 a\n"},
		},
		"entrypoint of a stage": {
			text: `ARG BASE
FROM $BASE AS first
ENTRYPOINT ["first"]
CMD ["args"]
ONBUILD ENV LATER=1
FROM first AS second
ENTRYPOINT second
`,
			config: oci.Config{WorkingDir: "/", Entrypoint: []string{"/bin/sh", "-c", "second"}},
		},
	}
}

// archived is a tar, compressed or not.
func archived(compressed bool) string {
	var b bytes.Buffer
	var w io.Writer = &b
	if compressed {
		w = gzip.NewWriter(&b)
	}
	tw := tar.NewWriter(w)
	for _, e := range []struct {
		h       tar.Header
		content string
	}{
		{tar.Header{Typeflag: tar.TypeDir, Name: "in/", Mode: 0o750, Uid: 5}, ""},
		{tar.Header{Name: "in/one", Mode: 0o640, Uid: 5, Gid: 6}, "1\n"},
		{tar.Header{Name: "in/s", Mode: 0o4755}, "s\n"},
		{tar.Header{Typeflag: tar.TypeSymlink, Name: "in/l", Linkname: "one", Mode: 0o777}, ""},
	} {
		e.h.Size = int64(len(e.content))
		if err := errors.Join(tw.WriteHeader(&e.h), wrote(io.WriteString(tw, e.content))); err != nil {
			panic(err)
		}
	}
	if err := tw.Close(); err != nil {
		panic(err)
	}
	if zip, ok := w.(*gzip.Writer); ok {
		zip.Close()
	}
	return b.String()
}

func wrote(_ int, err error) error { return err }

// write makes the context of c, with exact modes.
func (c dockerCase) write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range c.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, ok := strings.CutPrefix(content, "-> "); ok {
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var mode uint32
		digits, text, _ := strings.Cut(content, " ")
		if _, err := fmt.Sscanf(digits, "%o", &mode); err != nil {
			t.Fatal(err)
		}
		perm := fs.FileMode(mode & 0o777)
		if mode&0o4000 != 0 {
			perm |= fs.ModeSetuid
		}
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, perm)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte(c.text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// buildWith builds the Dockerfile in a directory here.
func buildWith(t *testing.T, s *image.Service, blobs directory, dir string, spec api.ImageSpec) *image.Image {
	t.Helper()
	spec.Ref = filepath.Join(dir, "Dockerfile")
	spec, err := buildcontext.Take(t.Context(), blobs, spec)
	if err != nil {
		t.Fatal(err)
	}
	img, err := s.Ensure(t.Context(), spec, show(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, api.AsError(err).Details.Log)
	}
	return img
}

// rootLine describes one file of an image.
func rootLine(t *testing.T, root fs.FS, name string) string {
	t.Helper()
	info, err := fs.Lstat(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return name + " absent"
	}
	if err != nil {
		t.Fatal(err)
	}
	owner := info.(interface {
		UID() uint32
		GID() uint32
	})
	line := fmt.Sprintf("%s %s %d:%d", name, info.Mode(), owner.UID(), owner.GID())
	switch {
	case info.Mode().IsRegular():
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		line += " " + string(text)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := fs.ReadLink(root, name)
		if err != nil {
			t.Fatal(err)
		}
		line += " -> " + target
	}
	return line
}

// TestRealDockerfiles builds Dockerfiles in cells, says what has to be in their
// images, and holds these to what docker build makes of them where there is a
// Docker.
func TestRealDockerfiles(t *testing.T) {
	realHome(t)
	blobs := directory(t.TempDir())
	s := realService(t, func(c *image.Config) { c.Blob = blobs.open })
	base := buildWith(t, s, blobs, dockerCase{text: smallBase}.write(t), api.ImageSpec{Name: "dockerfile-base"})
	peer := newPeer(t, s, base)
	for name, c := range dockerCases() {
		t.Run(name, func(t *testing.T) {
			dir := c.write(t)
			args := map[string]string{"BASE": peer.base}
			for k, v := range c.args {
				args[k] = v
			}
			img := buildWith(t, s, blobs, dir, api.ImageSpec{BuildArgs: args, Target: c.target})
			root, err := oci.OpenTree(img.RootFS)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			for _, want := range c.facts {
				name, _, _ := strings.Cut(want, " ")
				if diff := cmp.Diff(want, rootLine(t, root, name)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			got := oci.Config{WorkingDir: img.WorkingDir, User: img.User, Cmd: img.Cmd, Entrypoint: img.Entrypoint}
			if diff := cmp.Diff(c.config, got); diff != "" && c.config.WorkingDir != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
			peer.compare(t, c, dir, args, img)
		})
	}
}
