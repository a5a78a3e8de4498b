package servicetest

import (
	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// labels: a run has the labels of its task with its own laid over them, and so has one
// that repeats it; lists are asked for them.
func labels(s *suite) {
	task := *orchestrator("n * 2", "n: int", "int")
	task.Name, task.Labels = "labelled", map[string]string{"team": "data", "tier": "1"}
	s.deploy(api.Deployment{Tasks: []api.Task{task}})
	submit := func(labels map[string]string) (*api.Run, error) {
		return s.service.Submit(s.Context(), api.Submission{Name: "labelled", Inputs: map[string]any{"n": 2}, Labels: labels})
	}
	plain, err := submit(nil)
	s.must(err)
	own, err := submit(map[string]string{"tier": "2", "for": "a=b ü"})
	s.must(err)
	_, err = s.service.Wait(s.Context(), own.ID)
	s.must(err)
	again, err := s.service.Rerun(s.Context(), own.ID, api.RerunOptions{})
	s.must(err)
	want := map[string]string{"team": "data", "tier": "2", "for": "a=b ü"}
	for _, id := range []string{own.ID, again.ID} {
		run, err := s.service.Run(s.Context(), id)
		s.must(err)
		if diff := cmp.Diff(want, run.Labels); diff != "" {
			s.Errorf("labels of %s (-want +got):\n%s", id, diff)
		}
	}
	for _, test := range []struct {
		labels map[string]string
		want   []string
	}{
		{map[string]string{"team": "data"}, []string{again.ID, own.ID, plain.ID}},
		{map[string]string{"team": "data", "for": "a=b ü"}, []string{again.ID, own.ID}},
		{map[string]string{"tier": "1"}, []string{plain.ID}},
		{map[string]string{"tier": "1", "for": "a=b ü"}, nil},
	} {
		var got []string
		q := api.RunQuery{Labels: test.labels, Limit: 1}
		for pages := 0; pages == 0 || q.Cursor != ""; pages++ {
			page, err := s.service.Runs(s.Context(), q)
			s.must(err)
			for _, run := range page.Runs {
				got = append(got, run.ID)
			}
			q.Cursor = page.Next
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			s.Errorf("runs with %v (-want +got):\n%s", test.labels, diff)
		}
	}
	_, err = submit(map[string]string{"a=b": ""})
	s.wantCode(err, api.InvalidTask)
	wrong := task
	wrong.Labels = map[string]string{"": "x"}
	_, err = s.service.Deploy(s.Context(), api.Deployment{Tasks: []api.Task{wrong}})
	s.wantCode(err, api.InvalidTask)
}
