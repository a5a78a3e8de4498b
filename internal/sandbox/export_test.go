package sandbox

// RunnerProgram is the runner as it goes into cells.
func RunnerProgram() []byte { return runnerProgram() }

// CompileProgram is what compiles the runner for a directory.
func CompileProgram(dir string) []byte { return compileProgram(dir) }
