package oci

import v1 "github.com/google/go-containerregistry/pkg/v1"

// configOf takes over what an image says about running it.
func configOf(c v1.Config) Config {
	out := Config{
		Entrypoint: c.Entrypoint, Cmd: c.Cmd, Env: c.Env, WorkingDir: c.WorkingDir, User: c.User, Labels: c.Labels,
		ExposedPorts: c.ExposedPorts, Volumes: c.Volumes, StopSignal: c.StopSignal, Shell: c.Shell, OnBuild: c.OnBuild,
	}
	if h := c.Healthcheck; h != nil {
		out.Healthcheck = &Healthcheck{Test: h.Test, Interval: h.Interval, Timeout: h.Timeout, StartPeriod: h.StartPeriod, Retries: h.Retries}
	}
	return out
}

// stored is c as an image has it.
func (c Config) stored() v1.Config {
	out := v1.Config{
		Entrypoint: c.Entrypoint, Cmd: c.Cmd, Env: c.Env, WorkingDir: c.WorkingDir, User: c.User, Labels: c.Labels,
		ExposedPorts: c.ExposedPorts, Volumes: c.Volumes, StopSignal: c.StopSignal, Shell: c.Shell, OnBuild: c.OnBuild,
	}
	if h := c.Healthcheck; h != nil {
		out.Healthcheck = &v1.HealthConfig{Test: h.Test, Interval: h.Interval, Timeout: h.Timeout, StartPeriod: h.StartPeriod, Retries: h.Retries}
	}
	return out
}
