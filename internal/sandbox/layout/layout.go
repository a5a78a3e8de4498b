// Package layout names the directories and files by which a run and its cell
// meet: where the code starts, where inputs lie, where outputs are looked for,
// and where the runner of Python code is.
package layout

// Directories and files of a cell.
const (
	Work    = "/work"        // where code runs
	Inputs  = "/var/inputs"  // each input by its name, if it is a file
	Outputs = "/var/outputs" // each output by its name, if it is a file
	Secrets = "/run/secrets" // secrets that are files, in a tmpfs

	Runner     = "/run/glovebox"
	RunnerFile = Runner + "/importlib_bootstrap/start.py" // its first lines say why it is called so
	Values     = Runner + "/inputs"                       // the JSON of inputs that are directories of files
	Result     = Runner + "/result"
	ResultName = "result.json" // below Result
)
