//go:build !linux

package main

import "errors"

type report struct {
	Version  string `json:"version"`
	Landlock int    `json:"landlock"`
	Seccomp  bool   `json:"seccomp"`
	Network  bool   `json:"network"`
	Problem  string `json:"problem,omitempty"`
}

func check() report {
	return report{Version: version, Problem: "only Linux has Landlock"}
}

func (*cage) run() error {
	return errors.New("only Linux has Landlock")
}

func (*cage) runLimited() error {
	return errors.New("only Linux starts image inspectors by it")
}
