// packshot-cage starts a decoder that can read its own program and nothing else: it limits the process, and then becomes it.
//
//	packshot-cage check
//	packshot-cage run --read PATH --data-bytes N --file-bytes N -- PROGRAM ARGUMENT...
//	packshot-cage limit --data-bytes N -- PROGRAM ARGUMENT...
//
// `check` says in a line of JSON what the kernel allows. `run` makes a file in memory as descriptor 3, says so by a line, waits
// for a byte on stdin, by which the caller has opened the file, and runs the program in its own place
// (docs/adr/0052-decoders-in-a-cage.md). `limit` does no more than to limit memory, as a shell's `ulimit -d` would where there is
// a shell (docs/adr/0006-image-inspector.md).
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
)

// version is set by the build: a digest of the sources.
var version = "unknown"

type cage struct {
	readable  []string
	dataBytes uint64
	fileBytes uint64
	command   []string
}

func main() {
	// Landlock, seccomp and the death signal hold for a thread, and the thread that executes the program is what remains.
	runtime.LockOSThread()
	if err := start(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "packshot-cage: %v\n", err)
		os.Exit(1)
	}
}

func start(arguments []string) error {
	if len(arguments) == 1 && arguments[0] == "check" {
		return json.NewEncoder(os.Stdout).Encode(check())
	}
	if len(arguments) == 0 || (arguments[0] != "run" && arguments[0] != "limit") {
		return errors.New("usage: packshot-cage check | run --read PATH --data-bytes N --file-bytes N -- PROGRAM ARGUMENT... | limit --data-bytes N -- PROGRAM ARGUMENT...")
	}
	wanted, err := parse(arguments[1:])
	if err != nil {
		return err
	}
	if arguments[0] == "limit" {
		if wanted.fileBytes != 0 || wanted.readable != nil {
			return errors.New("limit takes --data-bytes alone")
		}
		return wanted.runLimited()
	}
	if wanted.fileBytes == 0 {
		return errors.New("run needs --file-bytes")
	}
	return wanted.run()
}

func parse(arguments []string) (*cage, error) {
	wanted := &cage{}
	for len(arguments) >= 2 && arguments[0] != "--" {
		value := arguments[1]
		var err error
		switch arguments[0] {
		case "--read":
			wanted.readable = append(wanted.readable, value)
		case "--data-bytes":
			wanted.dataBytes, err = strconv.ParseUint(value, 10, 64)
		case "--file-bytes":
			wanted.fileBytes, err = strconv.ParseUint(value, 10, 64)
		default:
			err = fmt.Errorf("unknown option %q", arguments[0])
		}
		if err != nil {
			return nil, err
		}
		arguments = arguments[2:]
	}
	if len(arguments) < 2 || wanted.dataBytes == 0 {
		return nil, errors.New("--data-bytes and a program are needed")
	}
	wanted.command = arguments[1:]
	return wanted, nil
}
