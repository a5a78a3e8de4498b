package servicetest

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// RunSessions judges the sessions that open returns. What runs in them is in
// every image that has a shell.
func RunSessions(t *testing.T, open func(t *testing.T) api.Sessions) {
	for name, test := range map[string]func(*sessionSuite){
		"life":                 life,
		"lists":                sessionLists,
		"changes":              sessionChanges,
		"forks":                forks,
		"snapshots":            snapshots,
		"events of sessions":   sessionEvents,
		"no sessions":          noSessions,
		"ended sessions":       endedSessions,
		"commands":             commands,
		"commands outlive":     commandsOutlive,
		"input":                input,
		"signals":              signals,
		"terminals":            terminals,
		"kill ends streams":    killEndsStreams,
		"files of sessions":    sessionFiles,
		"parts of files":       partsOfFiles,
		"trees of sessions":    sessionTrees,
		"watch":                watch,
		"ports":                ports,
		"users":                users,
		"leaving a connection": leavingStreams,
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			test(&sessionSuite{suite: suite{T: t}, service: open(t)})
		})
	}
}

// sessionSuite is one test of sessions.
type sessionSuite struct {
	suite
	service api.Sessions
}

// session starts one that ends with the test.
func (s *sessionSuite) session(spec api.SessionSpec) *api.Session {
	s.Helper()
	made, err := s.service.NewSession(s.Context(), spec)
	s.must(err)
	s.Cleanup(func() {
		if err := s.service.KillSession(context.WithoutCancel(s.Context()), made.ID); err != nil {
			s.Errorf("killing the session: %v", err)
		}
	})
	return made
}

func life(s *sessionSuite) {
	ctx := s.Context()
	made := s.session(api.SessionSpec{Labels: map[string]string{"user": "ada"}, Env: map[string]string{"A": "b"}})
	if made.State != api.SessionRunning || made.Spec.Idle != api.DefaultIdle || made.Spec.AtEnd != api.AtEndPause || made.Created.IsZero() || made.Image == "" {
		s.Errorf("made %+v", made)
	}
	paused, err := s.service.PauseSession(ctx, made.ID, api.PauseOptions{FilesOnly: true, Reason: "later"})
	s.must(err)
	if paused.State != api.SessionPaused || paused.Reason != "later" || paused.Memory {
		s.Errorf("paused %+v", paused)
	}
	for range 2 {
		resumed, err := s.service.ResumeSession(ctx, made.ID)
		s.must(err)
		if resumed.State != api.SessionRunning {
			s.Errorf("resumed %+v", resumed)
		}
	}
	for range 2 {
		s.must(s.service.KillSession(ctx, made.ID))
	}
	over, err := s.service.Session(ctx, made.ID)
	s.must(err)
	if over.State != api.SessionOver || over.Ended.IsZero() || over.Spec.Labels["user"] != "ada" || over.Spec.Env["A"] != "b" {
		s.Errorf("over: %+v", over)
	}
	_, err = s.service.SessionUsage(ctx, made.ID, time.Time{}, time.Time{})
	s.must(err)
	_, err = s.service.SessionConnections(ctx, made.ID)
	s.must(err)
	_, err = s.service.SessionConnections(ctx, "absent")
	s.wantNone(err)
}

func sessionLists(s *sessionSuite) {
	ctx := s.Context()
	var ids []string
	for range 3 {
		ids = append(ids, s.session(api.SessionSpec{Labels: map[string]string{"in": s.Name(), "a": "1, 2=3"}}).ID)
	}
	s.must(s.service.KillSession(ctx, ids[1]))
	list := func(q api.SessionQuery) (found []string) {
		s.Helper()
		q.Labels = map[string]string{"in": s.Name(), "a": "1, 2=3"}
		for {
			page, err := s.service.Sessions(ctx, q)
			s.must(err)
			for _, session := range page.Sessions {
				found = append(found, session.ID)
			}
			if q.Cursor = page.Next; q.Cursor == "" {
				return found
			}
		}
	}
	for _, test := range []struct {
		query api.SessionQuery
		want  []string
	}{
		{api.SessionQuery{Limit: 1}, []string{ids[2], ids[1], ids[0]}},
		{api.SessionQuery{Limit: 2, Oldest: true}, ids},
		{api.SessionQuery{State: []api.SessionState{api.SessionRunning, api.SessionPaused}}, []string{ids[2], ids[0]}},
		{api.SessionQuery{Parent: ids[0]}, nil},
		{api.SessionQuery{Since: time.Now().Add(time.Hour)}, nil},
	} {
		if got := list(test.query); !slices.Equal(got, test.want) {
			s.Errorf("%+v: got %q, want %q", test.query, got, test.want)
		}
	}
}

func sessionChanges(s *sessionSuite) {
	made := s.session(api.SessionSpec{Labels: map[string]string{"a": "1", "b": "2"}})
	hour, kill := time.Hour, api.AtEndKill
	changed, err := s.service.ChangeSession(s.Context(), made.ID, api.SessionChange{
		Timeout: &hour, Idle: &hour, AtEnd: &kill, Network: &api.Network{Allow: []string{"example.org"}}, Labels: map[string]string{"a": "", "c": "3"},
	})
	s.must(err)
	spec := changed.Spec
	if spec.Idle != hour || spec.AtEnd != kill || len(spec.Network.Allow) != 1 || len(spec.Labels) != 2 || spec.Labels["c"] != "3" || changed.Ends.IsZero() {
		s.Errorf("changed: %+v", changed)
	}
}

func forks(s *sessionSuite) {
	made := s.session(api.SessionSpec{Labels: map[string]string{"a": "1"}})
	s.write(made.ID, "kept.txt", "kept")
	made2, err := s.service.ForkSession(s.Context(), made.ID, api.ForkOptions{Count: 2, FilesOnly: true, Labels: map[string]string{"b": "2"}})
	s.must(err)
	if len(made2) != 2 {
		s.Fatalf("%d forks", len(made2))
	}
	for _, f := range made2 {
		if f.Error != nil {
			s.Fatal(f.Error)
		}
		if f.Session.Parent != made.ID || f.Session.Spec.Labels["a"] != "1" || f.Session.Spec.Labels["b"] != "2" {
			s.Errorf("fork: %+v", f.Session)
		}
		if got := s.read(f.Session.ID, "kept.txt", 0, 0); got != "kept" {
			s.Errorf("in the fork: %q", got)
		}
		s.must(s.service.KillSession(s.Context(), f.Session.ID))
	}
	_, err = s.service.ForkSession(s.Context(), made.ID, api.ForkOptions{Count: api.MaxForks + 1})
	s.wantCode(err, api.RequestInvalid)
}

func snapshots(s *sessionSuite) {
	ctx := s.Context()
	made := s.session(api.SessionSpec{})
	s.write(made.ID, "kept.txt", "kept")
	name := "suite/" + made.ID + ":1"
	taken, err := s.service.NewSnapshot(ctx, made.ID, api.SnapshotOptions{Name: name})
	s.must(err)
	found, err := s.service.Snapshot(ctx, name)
	s.must(err)
	if found.ID != taken.ID || found.Session != made.ID || found.Memory {
		s.Errorf("found %+v, taken %+v", found, taken)
	}
	list, err := s.service.Snapshots(ctx, made.ID)
	s.must(err)
	if len(list) != 1 || list[0].ID != taken.ID {
		s.Errorf("list: %+v", list)
	}
	again := s.session(api.SessionSpec{Snapshot: name})
	if got := s.read(again.ID, "kept.txt", 0, 0); got != "kept" || again.Snapshot != taken.ID {
		s.Errorf("started from it: %q, %+v", got, again)
	}
	image, err := s.service.SnapshotImage(ctx, name, api.SnapshotImageOptions{Name: "kept-image"})
	s.must(err)
	if image.Name != "kept-image" || image.ID == "" || image.ID == again.Image {
		s.Errorf("its image: %+v", image)
	}
	s.must(s.service.RemoveSnapshot(ctx, name))
	_, err = s.service.SnapshotImage(ctx, name, api.SnapshotImageOptions{})
	s.wantCode(err, api.NotFound)
	_, err = s.service.Snapshot(ctx, taken.ID)
	s.wantCode(err, api.NotFound)
	s.wantCode(s.service.RemoveSnapshot(ctx, name), api.NotFound)
}

func sessionEvents(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	before := collect(&s.suite, s.service.SessionEvents(s.Context(), made.ID, 0, false))
	if len(before) == 0 || before[len(before)-1].State != api.SessionRunning {
		s.Fatalf("events: %+v", before)
	}
	last := before[len(before)-1].Seq
	var seen []string
	for e, err := range s.service.SessionEvents(s.Context(), made.ID, last-1, true) {
		s.must(err)
		if seen = append(seen, e.Type); len(seen) == 1 {
			if e.Seq != last {
				s.Errorf("the first event is %+v", e)
			}
			s.must(s.service.KillSession(s.Context(), made.ID))
		}
	}
	if seen[len(seen)-1] != string(api.SessionOver) {
		s.Errorf("events: %q", seen)
	}
}

func noSessions(s *sessionSuite) {
	ctx := s.Context()
	for _, id := range []string{"absent", "", "..", "a b/ö"} {
		_, err := s.service.Session(ctx, id)
		s.wantNone(err)
		s.wantNone(s.service.KillSession(ctx, id))
		_, err = s.service.Processes(ctx, id)
		s.wantNone(err)
		s.wantNone(lastError(s.service.StartProcess(ctx, id, api.ProcessSpec{Argv: []string{"echo"}})))
		s.wantNone(lastError(s.service.SessionEvents(ctx, id, 0, true)))
		_, _, err = s.service.ReadFile(ctx, id, "a", 0, 0, api.FileOptions{})
		s.wantNone(err)
		_, err = s.service.DialPort(ctx, id, 1)
		s.wantNone(err)
	}
}

// wantNone also takes that the id cannot be one.
func (s *sessionSuite) wantNone(err error) {
	s.Helper()
	if !errors.Is(err, api.NotFound) && !errors.Is(err, api.RequestInvalid) {
		s.Errorf("got %v, want not_found", err)
	}
}

func endedSessions(s *sessionSuite) {
	ctx := s.Context()
	made := s.session(api.SessionSpec{})
	s.must(s.service.KillSession(ctx, made.ID))
	_, err := s.service.PauseSession(ctx, made.ID, api.PauseOptions{})
	s.wantCode(err, api.SessionEnded)
	s.wantCode(lastError(s.service.StartProcess(ctx, made.ID, api.ProcessSpec{Argv: []string{"echo"}})), api.SessionEnded)
	_, err = s.service.StatFile(ctx, made.ID, "/", api.FileOptions{})
	s.wantCode(err, api.SessionEnded)
	_, err = s.service.DialPort(ctx, made.ID, 1)
	s.wantCode(err, api.SessionEnded)
}

// run starts a command and returns what it wrote, by stream, and how it ended.
func (s *sessionSuite) run(id string, spec api.ProcessSpec) (map[string]string, *api.ProcessExit) {
	s.Helper()
	written := map[string]string{}
	var exit *api.ProcessExit
	for e, err := range s.service.StartProcess(s.Context(), id, spec) {
		s.must(err)
		written[e.Stream] += string(e.Data)
		exit = e.Exit
	}
	if exit == nil {
		s.Fatalf("the command has no end, and wrote %q", written)
	}
	return written, exit
}

func commands(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	if written, exit := s.run(made.ID, api.ProcessSpec{Argv: []string{"echo", "hello", "you"}}); written["stdout"] != "hello you\n" || exit.Status != 0 {
		s.Errorf("got %q, %+v", written, exit)
	}
	if written, _ := s.run(made.ID, api.ProcessSpec{Argv: []string{"sh", "-c", "echo wrong >&2"}}); written["stderr"] != "wrong\n" {
		s.Errorf("got %q", written)
	}
	if _, exit := s.run(made.ID, api.ProcessSpec{Argv: []string{"sh", "-c", "exit 3"}}); exit.Code != 3 || exit.Status != 3 {
		s.Errorf("got %+v", exit)
	}
	if _, exit := s.run(made.ID, api.ProcessSpec{Argv: []string{"sleep", "100"}, Timeout: 10 * time.Millisecond}); !exit.TimedOut || exit.Status == 0 {
		s.Errorf("got %+v", exit)
	}
	s.wantCode(lastError(s.service.StartProcess(s.Context(), made.ID, api.ProcessSpec{})), api.RequestInvalid)
}

// begin starts a command and stops listening.
func (s *sessionSuite) begin(id string, spec api.ProcessSpec) int {
	s.Helper()
	for e, err := range s.service.StartProcess(s.Context(), id, spec) {
		s.must(err)
		if e.Type != api.ProcessStarted || e.PID == 0 {
			s.Fatalf("the first event is %+v", e)
		}
		return e.PID
	}
	s.Fatal("nothing was started")
	return 0
}

func commandsOutlive(s *sessionSuite) {
	ctx := s.Context()
	made := s.session(api.SessionSpec{})
	pid := s.begin(made.ID, api.ProcessSpec{Argv: []string{"cat"}, Stdin: true, Tag: "a cat/1"})
	for _, ref := range []api.ProcessRef{{PID: pid}, {Tag: "a cat/1"}} {
		s.must(s.service.WriteInput(ctx, made.ID, ref, []byte("meow")))
	}
	for e, err := range s.service.FollowProcess(ctx, made.ID, api.ProcessRef{PID: pid}, 0) {
		s.must(err)
		if e.Offset == 8 { // all of it has come out
			break
		}
	}
	list, err := s.service.Processes(ctx, made.ID)
	s.must(err)
	if len(list) != 1 || list[0].PID != pid || list[0].Spec.Tag != "a cat/1" || list[0].Exit != nil {
		s.Errorf("processes: %+v", list)
	}
	s.must(s.service.CloseInput(ctx, made.ID, api.ProcessRef{PID: pid}))
	var written []byte
	var last api.ProcessEvent
	for e, err := range s.service.FollowProcess(ctx, made.ID, api.ProcessRef{Tag: "a cat/1"}, 2) {
		s.must(err)
		written, last = append(written, e.Data...), e
	}
	if string(written) != "owmeow" || last.Type != api.ProcessExited || last.Offset != 8 {
		s.Errorf("got %q, %+v", written, last)
	}
	s.wantCode(lastError(s.service.FollowProcess(ctx, made.ID, api.ProcessRef{PID: 99999}, 0)), api.NotFound)
}

func input(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	large := bytes.Repeat([]byte("0123456789abcdef"), 20<<10) // more than a pipe holds
	var got []byte
	var writing sync.WaitGroup
	for e, err := range s.service.StartProcess(s.Context(), made.ID, api.ProcessSpec{Argv: []string{"cat"}, Stdin: true}) {
		s.must(err)
		if e.Type == api.ProcessStarted {
			writing.Go(func() {
				ref := api.ProcessRef{PID: e.PID}
				if err := s.service.WriteInput(s.Context(), made.ID, ref, large); err != nil {
					s.Error(err)
				}
				if err := s.service.CloseInput(s.Context(), made.ID, ref); err != nil {
					s.Error(err)
				}
			})
		}
		got = append(got, e.Data...)
	}
	writing.Wait()
	if !bytes.Equal(got, large) {
		s.Errorf("%d bytes came back, want %d", len(got), len(large))
	}
}

func signals(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	pid := s.begin(made.ID, api.ProcessSpec{Argv: []string{"sleep", "100"}})
	s.must(s.service.SignalProcess(s.Context(), made.ID, api.ProcessRef{PID: pid}, "SIGTERM", true))
	events := collect(&s.suite, s.service.FollowProcess(s.Context(), made.ID, api.ProcessRef{PID: pid}, 0))
	if exit := events[len(events)-1].Exit; exit == nil || exit.Signal != "SIGTERM" || exit.Status != 143 {
		s.Errorf("got %+v", events)
	}
}

func terminals(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	written, _ := s.run(made.ID, api.ProcessSpec{Argv: []string{"echo", "hello"}, Terminal: &api.TerminalSize{Columns: 80, Rows: 24}})
	if strings.TrimSpace(written["terminal"]) != "hello" {
		s.Errorf("got %q", written)
	}
	pid := s.begin(made.ID, api.ProcessSpec{Argv: []string{"cat"}, Terminal: &api.TerminalSize{Columns: 80, Rows: 24}})
	s.must(s.service.ResizeTerminal(s.Context(), made.ID, api.ProcessRef{PID: pid}, api.TerminalSize{Columns: 100, Rows: 30}))
}

func killEndsStreams(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	var last error
	for e, err := range s.service.StartProcess(s.Context(), made.ID, api.ProcessSpec{Argv: []string{"sleep", "100"}}) {
		if last = err; e.Type == api.ProcessStarted {
			s.must(s.service.KillSession(s.Context(), made.ID))
		}
	}
	s.wantCode(last, api.SessionEnded)
}

func (s *sessionSuite) write(id, path, text string) *api.FileInfo {
	s.Helper()
	info, err := s.service.WriteFile(s.Context(), id, path, strings.NewReader(text), api.WriteOptions{})
	s.must(err)
	return info
}

func (s *sessionSuite) read(id, path string, offset, limit int64) string {
	s.Helper()
	content, info, err := s.service.ReadFile(s.Context(), id, path, offset, limit, api.FileOptions{})
	s.must(err)
	text, err := io.ReadAll(content)
	s.must(err)
	s.must(content.Close())
	if !strings.HasSuffix(info.Path, path) {
		s.Errorf("%s is described as %+v", path, info)
	}
	return string(text)
}

func sessionFiles(s *sessionSuite) {
	ctx, o := s.Context(), api.FileOptions{}
	made := s.session(api.SessionSpec{})
	info, err := s.service.WriteFile(ctx, made.ID, "sub dir/ä+.txt", strings.NewReader("one"), api.WriteOptions{Mode: 0o755})
	s.must(err)
	if info.Size != 3 || info.Mode&0o777 != 0o755 || info.Type != api.TypeFile || !strings.HasPrefix(info.Path, "/") {
		s.Errorf("written: %+v", info)
	}
	if _, err := s.service.WriteFile(ctx, made.ID, "sub dir/ä+.txt", strings.NewReader(" two"), api.WriteOptions{Append: true}); err != nil {
		s.Fatal(err)
	}
	if got := s.read(made.ID, "sub dir/ä+.txt", 0, 0); got != "one two" {
		s.Errorf("got %q", got)
	}
	if _, err := s.service.MakeDir(ctx, made.ID, "sub dir/deep", o); err != nil {
		s.Error(err)
	}
	_, err = s.service.MakeDir(ctx, made.ID, "sub dir/deep", o)
	s.wantCode(err, api.Conflict)
	list, err := s.service.ListFiles(ctx, made.ID, "sub dir", 0, o)
	s.must(err)
	if len(list) != 2 || list[0].Type != api.TypeDir || list[1].Size != 7 {
		s.Errorf("list: %+v", list)
	}
	moved, err := s.service.MoveFile(ctx, made.ID, "sub dir/ä+.txt", "other/b.txt", o)
	s.must(err)
	if !strings.HasSuffix(moved.Path, "/other/b.txt") {
		s.Errorf("moved: %+v", moved)
	}
	for range 2 {
		s.must(s.service.RemoveFile(ctx, made.ID, "other", o))
	}
	_, err = s.service.StatFile(ctx, made.ID, "other/b.txt", o)
	s.wantCode(err, api.NotFound)
	_, _, err = s.service.ReadFile(ctx, made.ID, "absent", 0, 0, o)
	s.wantCode(err, api.NotFound)
	_, err = s.service.ListFiles(ctx, made.ID, "absent", 0, o)
	s.wantCode(err, api.NotFound)
}

func partsOfFiles(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	s.write(made.ID, "a.txt", "0123456789")
	s.write(made.ID, "empty", "")
	for _, test := range []struct {
		path          string
		offset, limit int64
		want          string
	}{{"a.txt", 0, 0, "0123456789"}, {"a.txt", 0, 4, "0123"}, {"a.txt", 4, 3, "456"}, {"a.txt", 8, 100, "89"}, {"a.txt", 7, 0, "789"}, {"a.txt", 10, 5, ""}, {"empty", 0, 5, ""}, {"empty", 0, 0, ""}} {
		if got := s.read(made.ID, test.path, test.offset, test.limit); got != test.want {
			s.Errorf("%+v: got %q", test, got)
		}
	}
}

func sessionTrees(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	s.must(w.WriteHeader(&tar.Header{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755}))
	s.must(w.WriteHeader(&tar.Header{Name: "d/a.txt", Size: 3, Mode: 0o644}))
	_, err := w.Write([]byte("abc"))
	s.must(errors.Join(err, w.Close()))
	s.must(s.service.UploadTree(s.Context(), made.ID, "tree", &archive, api.FileOptions{}))
	if got := s.read(made.ID, "tree/d/a.txt", 0, 0); got != "abc" {
		s.Errorf("got %q", got)
	}
	down, err := s.service.DownloadTree(s.Context(), made.ID, "tree", api.FileOptions{})
	s.must(err)
	defer down.Close()
	r := tar.NewReader(down)
	for {
		header, err := r.Next()
		if err == io.EOF {
			s.Fatal("a.txt is not in the archive")
		}
		s.must(err)
		if strings.TrimPrefix(header.Name, "./") == "d/a.txt" {
			text, err := io.ReadAll(r)
			s.must(err)
			if string(text) != "abc" {
				s.Errorf("got %q", text)
			}
			return
		}
	}
}

func watch(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	if _, err := s.service.MakeDir(s.Context(), made.ID, "watched", api.FileOptions{}); err != nil {
		s.Fatal(err)
	}
	for e, err := range s.service.WatchFiles(s.Context(), made.ID, "watched", false, api.FileOptions{}) {
		s.must(err)
		switch e.Type {
		case api.FilesWatched:
			s.write(made.ID, "watched/a.txt", "a")
		case api.FileCreated:
			if e.Path != "a.txt" {
				s.Errorf("created %+v", e)
			}
			return
		}
	}
	s.Error("the watch ended")
}

func ports(s *sessionSuite) {
	ctx := s.Context()
	made := s.session(api.SessionSpec{})
	opened, err := s.service.OpenPort(ctx, made.ID, 8123, api.PortOptions{})
	s.must(err)
	again, err := s.service.OpenPort(ctx, made.ID, 8123, api.PortOptions{Public: true})
	s.must(err)
	if opened.Port != 8123 || opened.Token == "" || opened.Public || again.Token != opened.Token || !again.Public {
		s.Errorf("opened %+v, then %+v", opened, again)
	}
	now, err := s.service.Session(ctx, made.ID)
	s.must(err)
	if len(now.Ports) != 1 || now.Ports[0].Port != 8123 {
		s.Errorf("ports: %+v", now.Ports)
	}
	_, err = s.service.DialPort(ctx, made.ID, 8123)
	s.wantCode(err, api.NotFound)
	s.must(s.service.ClosePort(ctx, made.ID, 8123))
	if now, err = s.service.Session(ctx, made.ID); err != nil || len(now.Ports) != 0 {
		s.Errorf("ports: %+v, %v", now.Ports, err)
	}
}

func users(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	root, err := s.service.SessionUser(s.Context(), made.ID, "root")
	s.must(err)
	if root.UID != 0 || root.Home != "/root" {
		s.Errorf("root: %+v", root)
	}
	user, err := s.service.SessionUser(s.Context(), made.ID, "")
	s.must(err)
	if user.UID != 1000 || user.Home == "" {
		s.Errorf("that of the session: %+v", user)
	}
}

// leavingStreams: who stops listening ends nothing but the listening.
func leavingStreams(s *sessionSuite) {
	made := s.session(api.SessionSpec{})
	ctx, cancel := context.WithCancel(s.Context())
	pid := 0
	for e, err := range s.service.StartProcess(ctx, made.ID, api.ProcessSpec{Argv: []string{"sleep", "100"}}) {
		if err != nil {
			break
		}
		pid = e.PID
		cancel()
	}
	cancel()
	list, err := s.service.Processes(s.Context(), made.ID)
	s.must(err)
	if len(list) != 1 || list[0].PID != pid || list[0].Exit != nil {
		s.Errorf("processes: %+v", list)
	}
}
