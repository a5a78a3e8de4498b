package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

var measurements = []struct {
	name string
	take func(*bench, *table) error
}{
	{"create", (*bench).create}, {"command", (*bench).command}, {"code", (*bench).code},
	{"files", (*bench).files}, {"memory", (*bench).memory},
	{"cycles", (*bench).growing}, {"live", (*bench).many}, {"paused", (*bench).manyPaused},
}

func (b *bench) session() (*api.Session, error) {
	return b.service.NewSession(b.ctx, api.SessionSpec{})
}

// sh runs a script that has to succeed.
func (b *bench) sh(id, script string) (string, error) {
	var out bytes.Buffer
	for e, err := range b.service.StartProcess(b.ctx, id, api.ProcessSpec{Argv: []string{"/bin/sh", "-c", script}}) {
		if err != nil {
			return "", err
		}
		out.Write(e.Data)
		if e.Exit != nil && e.Exit.Status != 0 {
			return "", fmt.Errorf("%s: status %d: %s", script, e.Exit.Status, out.String())
		}
	}
	return strings.TrimSpace(out.String()), nil
}

// create makes sessions at the pace at which cells are made ready.
func (b *bench) create(t *table) error {
	var samples, container []float64
	for range 40 {
		var x *api.Session
		took, err := milliseconds(func() (err error) { x, err = b.session(); return err })
		if err != nil {
			return err
		}
		if x.Warm {
			samples = append(samples, took)
		}
		if err := b.service.KillSession(b.ctx, x.ID); err != nil {
			return err
		}
		if err := b.docker.timeStart(b.ctx, &container); err != nil {
			return err
		}
		time.Sleep(150 * time.Millisecond)
	}
	t.times("a session from a cell that is ready", "10 ms", samples)
	t.beside("a container of docker, created and started", container)
	return nil
}

// command compares a command of a session with the same in a loop of its shell.
func (b *bench) command(t *table) error {
	x, err := b.session()
	if err != nil {
		return err
	}
	defer b.service.KillSession(b.ctx, x.ID)
	return b.docker.used(b.ctx, func(container string) error { return b.commands(t, x.ID, container) })
}

// commands takes turns between a session and a container, which is empty without docker.
func (b *bench) commands(t *table, session, container string) error {
	var asked, own, beside []float64
	for range 40 {
		took, err := milliseconds(func() error {
			for _, err := range b.service.StartProcess(b.ctx, session, api.ProcessSpec{Argv: []string{"/bin/true"}}) {
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		asked = append(asked, took)
		out, err := b.sh(session, `a=$(date +%s%N); for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done; b=$(date +%s%N); echo $(((b-a)/10000))`)
		if err != nil {
			return err
		}
		micros, err := strconv.ParseFloat(out, 64)
		if err != nil {
			return err
		}
		own = append(own, micros/1000)
		if err := b.docker.timeExec(b.ctx, container, &beside); err != nil {
			return err
		}
	}
	t.times("the command `true` in a session", "", asked)
	t.times("the same in a loop of a shell there: its own time", "5 ms less", own)
	t.beside("the same in a container of docker", beside)
	return nil
}

func (b *bench) code(t *table) error {
	x, err := b.session()
	if err != nil {
		return err
	}
	defer b.service.KillSession(b.ctx, x.ID)
	run := func() error {
		for e, err := range b.service.RunCode(b.ctx, x.ID, api.CodeRequest{Code: "1 + 1"}) {
			if err != nil || e.Error != nil {
				return errors.Join(err, fmt.Errorf("%+v", e.Error))
			}
		}
		return nil
	}
	first, err := repeat(1, run)
	if err != nil {
		return err
	}
	samples, err := repeat(200, run)
	if err != nil {
		return err
	}
	t.times("the first code of a session, which starts its interpreter", "", first)
	t.times("the code `1 + 1` in a context", "3 ms", samples)
	return nil
}

// files takes a session with 100 MB of its own.
func (b *bench) files(t *table) error {
	x, err := b.session()
	if err != nil {
		return err
	}
	defer b.service.KillSession(b.ctx, x.ID)
	if _, err := b.sh(x.ID, bigFile); err != nil {
		return err
	}
	err = b.docker.used(b.ctx, func(container string) error {
		if b.docker != nil {
			if err := b.docker.daemon.Exec(b.ctx, container, "sh", "-c", bigFile); err != nil {
				return err
			}
		}
		return b.fileForks(t, x.ID, container)
	})
	if err != nil {
		return err
	}
	return b.pauses(t, x.ID, "files, 100 MB changed", api.PauseOptions{FilesOnly: true})
}

// bigFile makes a file of 100 MB.
const bigFile = "head -c 100000000 /dev/urandom > big"

// fileForks takes turns between a session and a container, which is empty without docker.
func (b *bench) fileForks(t *table, session, container string) error {
	var samples, beside []float64
	for range 8 {
		took, err := b.forks(session, api.ForkOptions{FilesOnly: true}, 1)
		if err != nil {
			return err
		}
		samples = append(samples, took...)
		if err := b.docker.timeFork(b.ctx, container, &beside); err != nil {
			return err
		}
	}
	t.times("a fork of the files, 100 MB changed", "100 ms", samples)
	t.beside("a commit of docker, and a container from it", beside)
	return nil
}

func (b *bench) forks(id string, o api.ForkOptions, n int) (samples []float64, err error) {
	for range n {
		var forks []api.Fork
		took, err := milliseconds(func() (err error) { forks, err = b.service.ForkSession(b.ctx, id, o); return err })
		if err != nil {
			return nil, err
		}
		samples = append(samples, took)
		for _, f := range forks {
			if f.Error != nil {
				return nil, f.Error
			}
			if err := b.service.KillSession(b.ctx, f.Session.ID); err != nil {
				return nil, err
			}
		}
	}
	return samples, nil
}

func (b *bench) pauses(t *table, id, what string, o api.PauseOptions) error {
	var pauses, resumptions []float64
	for range 8 {
		took, err := milliseconds(func() error { _, err := b.service.PauseSession(b.ctx, id, o); return err })
		if err != nil {
			return err
		}
		pauses = append(pauses, took)
		if took, err = milliseconds(func() error { _, err := b.service.ResumeSession(b.ctx, id); return err }); err != nil {
			return err
		}
		resumptions = append(resumptions, took)
	}
	t.times("a pause: "+what, "", pauses)
	t.times("its resumption", "", resumptions)
	return nil
}

// held is a Python that holds 50 MB, and says how long it stood still at most.
const held = `
import time, os
data = os.urandom(50_000_000)
last, most = time.time(), 0
while True:
    time.sleep(0.001)
    now = time.time()
    most, last = max(most, now - last), now
    if os.path.exists('/tmp/ask'):
        os.remove('/tmp/ask')
        open('/tmp/answer.new', 'w').write(str(most * 1000)); os.rename('/tmp/answer.new', '/tmp/answer')
        most = 0
`

const askHeld = `rm -f /tmp/answer; touch /tmp/ask; until test -s /tmp/answer; do sleep 0.002; done; cat /tmp/answer`

// memory takes a session with a Python of 50 MB.
func (b *bench) memory(t *table) error {
	x, err := b.session()
	if err != nil {
		return err
	}
	defer b.service.KillSession(b.ctx, x.ID)
	for _, err := range b.service.StartProcess(b.ctx, x.ID, api.ProcessSpec{Argv: []string{"python3", "-c", held}}) {
		if err != nil {
			return err
		}
		break
	}
	var forks, stood, still []float64
	for range 8 {
		if _, err := b.sh(x.ID, askHeld); err != nil {
			return err
		}
		time.Sleep(300 * time.Millisecond)
		quiet, err := b.sh(x.ID, askHeld)
		if err != nil {
			return err
		}
		samples, err := b.forks(x.ID, api.ForkOptions{}, 1)
		if err != nil {
			return err
		}
		answer, err := b.sh(x.ID, askHeld)
		if err != nil {
			return err
		}
		forks, stood, still = append(forks, samples...), append(stood, number(answer)), append(still, number(quiet))
	}
	t.times("a fork of a Python of 50 MB", "250 ms", forks)
	t.times("for so long it stood still at most", "50 ms", stood)
	t.times("the same in 300 ms without a fork", "", still)
	return b.pauses(t, x.ID, "the same", api.PauseOptions{})
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return -1
	}
	return n
}

// growing pauses and resumes a session with a tree that grows, and looks for what is
// lost.
func (b *bench) growing(t *table) error {
	x, err := b.session()
	if err != nil {
		return err
	}
	defer b.service.KillSession(b.ctx, x.ID)
	for i := range b.cycles {
		script := fmt.Sprintf("mkdir -p d%d && head -c %d /dev/urandom > d%d/f && sha256sum d%d/f >> sums", i%50, 1000+i, i%50, i%50)
		script += fmt.Sprintf(" && mv d%d/f d%d/f%d && sed -i 's|d%d/f$|d%d/f%d|' sums", i%50, i%50, i, i%50, i%50, i)
		if _, err := b.sh(x.ID, script); err != nil {
			return err
		}
		if _, err := b.service.PauseSession(b.ctx, x.ID, api.PauseOptions{FilesOnly: i%2 == 0}); err != nil {
			return err
		}
	}
	out, err := b.sh(x.ID, "sha256sum --quiet -c sums && wc -l < sums")
	if err != nil {
		return err
	}
	t.fact(fmt.Sprintf("files of %d pauses and resumptions, every other with memory, that are whole", b.cycles), "all", "%s", out)
	return nil
}

// many holds sessions that live.
func (b *bench) many(t *table) error {
	var ids []string
	defer func() {
		for _, id := range ids {
			_ = b.service.KillSession(b.ctx, id)
		}
	}()
	before := resident()
	var memory int64
	for range b.live {
		x, err := b.session()
		if err != nil {
			return err
		}
		ids = append(ids, x.ID)
		if _, err := b.sh(x.ID, "true"); err != nil {
			return err
		}
	}
	time.Sleep(2 * time.Second)
	for _, id := range ids {
		if _, err := b.sh(id, "true"); err != nil {
			return err
		}
		samples, err := b.service.SessionUsage(b.ctx, id, time.Time{}, time.Time{})
		if err != nil {
			return err
		}
		memory += samples[len(samples)-1].Memory
	}
	t.fact(fmt.Sprintf("memory of each of %d that live", b.live), "", "%.1f MB", float64(memory)/float64(b.live)/1e6)
	t.fact("of the server for each", "", "%.0f KB", float64(resident()-before)/float64(b.live)/1e3)
	return nil
}

// manyPaused holds sessions that are paused with their memory.
func (b *bench) manyPaused(t *table) error {
	before, saved := resident(), int64(0)
	var ids []string
	defer func() {
		for _, id := range ids {
			_ = b.service.KillSession(b.ctx, id)
		}
	}()
	for i := range b.paused {
		x, err := b.session()
		if err != nil {
			return err
		}
		ids = append(ids, x.ID)
		if _, err := b.sh(x.ID, fmt.Sprintf("echo %d > file", i)); err != nil {
			return err
		}
		paused, err := b.service.PauseSession(b.ctx, x.ID, api.PauseOptions{})
		if err != nil {
			return err
		}
		saved += paused.Saved
	}
	for i, id := range ids {
		if i%max(1, b.paused/20) != 0 {
			continue
		}
		if out, err := b.sh(id, "cat file"); err != nil || out != fmt.Sprint(i) {
			return errors.Join(err, fmt.Errorf("session %d has %q", i, out))
		}
	}
	t.fact(fmt.Sprintf("disk of each of %d that are paused", b.paused), "", "%.2f MB", float64(saved)/float64(b.paused)/1e6)
	t.fact("memory of the server for each", "", "%.1f KB", float64(resident()-before)/float64(b.paused)/1e3)
	return nil
}

// resident is the memory of this process in bytes.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
