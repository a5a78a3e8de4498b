package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// The bounds of a deployment.
const (
	maxTasks  = 10_000
	maxSource = 16 << 20 // bytes
)

// versions makes versions of the tasks of a deployment, and names the first
// task that is wrong.
func versions(d *api.Deployment, validate func(*api.Task) ([]string, error)) (_ []api.TaskVersion, warnings [][]string, _ error) {
	if err := checkDeployment(d); err != nil {
		return nil, nil, err
	}
	first := map[string]int{}
	tasks := make([]api.TaskVersion, len(d.Tasks))
	for i := range d.Tasks {
		task := d.Tasks[i]
		if err := checkTaskName(&task, i, first); err != nil {
			return nil, nil, err
		}
		warned, err := validate(&task)
		if err != nil {
			return nil, nil, inTask(task.Name, err)
		}
		tasks[i], warnings = newVersion(&task), append(warnings, warned)
	}
	return tasks, warnings, nil
}

func newVersion(task *api.Task) api.TaskVersion {
	return api.TaskVersion{
		Name: task.Name, Digest: task.Digest(), Kind: task.KindOf(), Signature: task.Signature, Doc: task.Doc, Task: task,
	}
}

func checkDeployment(d *api.Deployment) error {
	switch {
	case d.Environment != "" && !ValidName(d.Environment):
		return api.WrongField("environment", fmt.Sprintf("%.200q", d.Environment), nameForm)
	case len(d.Tasks) == 0:
		return api.WrongField("tasks", "empty", "at least one task")
	case len(d.Tasks) > maxTasks:
		return api.WrongField("tasks", strconv.Itoa(len(d.Tasks))+" tasks", "at most "+strconv.Itoa(maxTasks))
	case len(d.Source) > maxSource:
		return api.WrongField("source", strconv.Itoa(len(d.Source))+" bytes long", "at most "+strconv.Itoa(maxSource))
	case !utf8.ValidString(d.Source):
		return api.WrongField("source", "no UTF-8", "text")
	}
	return nil
}

// checkTaskName also makes sure that no two tasks have one name. First is where
// each name is, from 0.
func checkTaskName(task *api.Task, i int, first map[string]int) error {
	field := fmt.Sprintf("tasks[%d].name", i)
	if !ValidName(task.Name) {
		return api.WrongField(field, fmt.Sprintf("%.200q", task.Name), nameForm)
	}
	if earlier, taken := first[task.Name]; taken {
		return api.WrongField(field, fmt.Sprintf("%q, as tasks[%d] is", task.Name, earlier), "a name for each task")
	}
	first[task.Name] = i
	return nil
}

// inTask says which task an error is about, and keeps all the rest.
func inTask(name string, err error) error {
	e := *api.AsError(err)
	if prefix := "task " + name + ": "; !strings.HasPrefix(e.Message, prefix) {
		e.Message = prefix + e.Message
	}
	return &e
}
