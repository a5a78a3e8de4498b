package sandbox

// RunnerProgram is the runner as it goes into cells.
func RunnerProgram() []byte { return runnerProgram() }
