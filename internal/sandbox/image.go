package sandbox

import "github.com/glovebox-dev/glovebox/api"

// checkImage finds out whether the image has what the mode of the task needs.
func checkImage(task *api.Task, image *Image) error {
	switch mode := task.Mode(); {
	case mode.Python() && image.Python == "":
		e := api.Errorf(api.PythonMissing, "image %s has no python3, which code needs", imageName(task, image))
		e.Outcome = api.NotStarted
		return e
	case mode == api.Entrypoint && len(image.Entrypoint)+len(image.Cmd) == 0:
		return api.Errorf(api.InvalidTask, "the task has neither code nor a command, and image %s has no entrypoint", imageName(task, image)).
			WithHint("set code or a command, or use an image with an entrypoint").
			WithDetails(api.Details{Field: "command"})
	}
	return nil
}

func imageName(task *api.Task, image *Image) string {
	if task.Image.Ref != "" {
		return task.Image.Ref
	}
	if image.Name != "" {
		return image.Name
	}
	return image.ID
}
