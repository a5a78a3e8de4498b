package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// site is where one program is measured.
type site struct {
	program, dir, images, inputs string
	floats                       int
}

type way struct {
	name    string
	floats  int // how many; 0: as many as was asked for
	measure func(*site) (cost, error)
}

// tenMegabytes is how many floats of valuesOf take ten megabytes.
const tenMegabytes = 522_000

var ways = []way{
	{"glovebox run", 0, (*site).run},
	{"POST /v1/runs", 0, posted},
	{"POST /v1/runs of 10 MB", tenMegabytes, posted},
	{"call of a tool", 0, func(s *site) (cost, error) {
		code := "count(values=[1.0123456789012345] * " + strconv.Itoa(s.floats) + ")"
		t := task(code, *task("len(values)"))
		t.Name = "caller"
		t.Signature.Inputs = nil
		return s.serve(t, false)
	}},
	{"a result of floats", 0, func(s *site) (cost, error) {
		t := task("[1.0123456789012345] * " + strconv.Itoa(s.floats))
		t.Signature.Inputs, t.Signature.Outputs[0].Type = nil, t.Signature.Inputs[0].Type
		return s.serve(t, false)
	}},
}

// posted submits the floats as inputs.
func posted(s *site) (cost, error) { return s.serve(task("len(values)"), true) }

// count is how many floats a measurement has, of all or of one.
func (w way) count(asked int, all bool) int {
	switch {
	case !all:
		return 1
	case w.floats > 0:
		return w.floats
	}
	return asked
}

// once writes the inputs and measures.
func (w way) once(s *site) (cost, error) {
	s.inputs = filepath.Join(s.dir, "inputs.json")
	if err := os.WriteFile(s.inputs, valuesOf(s.floats), 0o644); err != nil {
		return cost{}, err
	}
	return w.measure(s)
}

func task(code string, tools ...api.Task) *api.Task {
	return &api.Task{
		Name: "count", Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Dialect: "extended", Tools: tools},
		Signature: api.Signature{
			Inputs:  []value.Param{{Name: "values", Type: value.MustType("list[float]")}},
			Outputs: []value.Param{{Name: "result", Type: value.MustType("int")}},
		},
	}
}

// valuesOf is the JSON of the inputs, as Python writes it.
func valuesOf(floats int) []byte {
	b := []byte(`{"values": [`)
	for i := range floats {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendFloat(b, math.Sqrt(float64(i)+0.5), 'g', -1, 64)
	}
	return append(b, "]}"...)
}

// home makes a home for one measurement; whoever asked for it removes it.
func (s *site) home() (string, error) {
	dir, err := os.MkdirTemp(s.dir, "home-")
	if err == nil && s.images != "" {
		err = os.Symlink(s.images, filepath.Join(dir, "images"))
	}
	return dir, err
}

// command is the program with a home of its own.
func (s *site) command(home string, args ...string) *exec.Cmd {
	cmd := exec.Command(s.program, args...)
	cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+home)
	cmd.Stderr = os.Stderr
	return cmd
}

// run runs Python in a cell.
func (s *site) run() (c cost, err error) {
	home, err := s.home()
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(home)
	var out bytes.Buffer
	cmd := s.command(home, "run", "-c", "result = len(values)", "-i", "values:list[float]=@"+s.inputs+".list", "-o", "result:int")
	cmd.Stdout = &out
	text, err := os.ReadFile(s.inputs)
	if err != nil {
		return c, err
	}
	list := text[len(`{"values": `) : len(text)-1]
	if err := os.WriteFile(s.inputs+".list", list, 0o644); err != nil {
		return c, err
	}
	p, err := start(cmd)
	if err != nil {
		return c, err
	}
	<-p.ended
	err = cmd.Wait()
	return cost{cpu: p.cpu, peak: p.peak, own: float64(p.own.Load()) / 1024, result: float64(out.Len())}, err
}

// serve submits a task to a new server and waits for the end of the run.
func (s *site) serve(t *api.Task, given bool) (c cost, err error) {
	home, err := s.home()
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(home)
	socket := filepath.Join(home, "socket")
	p, err := start(s.command(home, "serve", "--listen", "unix:"+socket))
	if err != nil {
		return c, err
	}
	defer func() {
		_ = p.Process.Signal(os.Interrupt)
		_ = p.Wait()
		<-p.ended
	}()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	defer client.CloseIdleConnections()
	if err := ready(client); err != nil {
		return c, err
	}
	body, err := s.body(t, given)
	if err != nil {
		return c, err
	}
	_, before, err := stat(p.Process.Pid)
	if err != nil {
		return c, err
	}
	answer, err := exchange(client, http.MethodPost, "/v1/runs", body)
	if err != nil {
		return c, err
	}
	var run struct{ ID string }
	if err := json.Unmarshal(answer, &run); err != nil {
		return c, err
	}
	result, err := exchange(client, http.MethodGet, "/v1/runs/"+run.ID+"/result?wait=60s", nil)
	if err != nil {
		return c, err
	}
	if !bytes.Contains(result, []byte(`"status":"succeeded"`)) || given && !bytes.Contains(result, []byte(`"value":`+strconv.Itoa(s.floats))) {
		return c, fmt.Errorf("the result is %.300s", result)
	}
	_, after, err := stat(p.Process.Pid)
	peak, _ := statusOf(p.Process.Pid, "VmHWM:")
	return cost{cpu: after - before, peak: peak / 1024, own: float64(p.own.Load()) / 1024, answer: float64(len(answer)), result: float64(len(result))}, err
}

func (s *site) body(t *api.Task, given bool) ([]byte, error) {
	definition, err := json.Marshal(t)
	if err != nil || !given {
		return []byte(`{"task":` + string(definition) + `}`), err
	}
	inputs, err := os.ReadFile(s.inputs)
	return []byte(`{"task":` + string(definition) + `,"inputs":` + string(inputs) + `}`), err
}

// ready waits until the server answers.
func ready(client *http.Client) (err error) {
	for range 600 {
		if _, err = exchange(client, http.MethodGet, "/v1/tasks", nil); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

func exchange(client *http.Client, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequest(method, "http://glovebox"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: %s: %.300s", method, path, answer.Status, text)
	}
	return text, err
}
