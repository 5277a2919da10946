package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	sharedFile = 3
	// The program's own descriptor while it is executed. The kernel closes it then.
	programFile  = 60
	filesMax     = 128
	secondsMax   = 3600
	sharedNotice = "packshot-cage: shared 3\n"
)

type report struct {
	Version  string `json:"version"`
	Landlock int    `json:"landlock"`
	Seccomp  bool   `json:"seccomp"`
	// Network says whether Landlock refuses TCP, too; seccomp refuses every socket.
	Network bool   `json:"network"`
	Problem string `json:"problem,omitempty"`
}

// check puts this process into the cage, because a kernel that knows a call may still refuse it.
func check() report {
	abi := landlockVersion()
	found := report{Version: version, Landlock: abi, Network: abi >= 4}
	err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if err == nil {
		err = restrictFiles(abi, nil, "")
	}
	if err == nil {
		err = restrictCalls()
		found.Seccomp = err == nil
	}
	if err != nil {
		found.Problem = err.Error()
	}
	return found
}

func (wanted *cage) run() error {
	if err := shareFile(); err != nil {
		return err
	}
	program := wanted.command[0]
	opened, err := unix.Open(program, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	if err := unix.Dup3(opened, programFile, unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("the program's descriptor: %w", err)
	}
	if err := unix.CloseRange(sharedFile+1, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close_range: %w", err)
	}
	if err := wanted.limit(); err != nil {
		return err
	}
	if err := dropPrivileges(); err != nil {
		return err
	}
	path, arguments, environment, err := pointers(wanted.command)
	if err != nil {
		return err
	}
	if err := restrictFiles(landlockVersion(), wanted.readable, program); err != nil {
		return err
	}
	if err := restrictCalls(); err != nil {
		return err
	}
	// Nothing but this call may follow: the runtime of Go itself is in the cage now.
	_, _, failure := unix.RawSyscall6(unix.SYS_EXECVEAT, programFile, uintptr(unsafe.Pointer(path)),
		uintptr(unsafe.Pointer(&arguments[0])), uintptr(unsafe.Pointer(&environment[0])), unix.AT_EMPTY_PATH, 0)
	runtime.KeepAlive(arguments)
	return fmt.Errorf("%s: %w", program, failure)
}

// runLimited runs the program at the path given, with what else it was given.
func (wanted *cage) runLimited() error {
	if err := lower(unix.RLIMIT_DATA, wanted.dataBytes); err != nil {
		return fmt.Errorf("the limit of data: %w", err)
	}
	program := wanted.command[0]
	return fmt.Errorf("%s: %w", program, unix.Exec(program, wanted.command, os.Environ()))
}

// shareFile makes the file through which pixels go. Its caller opens it by its name in /proc, while this process is still one
// that may be looked into.
func shareFile() error {
	opened, err := unix.MemfdCreate("packshot-image", 0)
	if err != nil {
		return fmt.Errorf("memfd_create: %w", err)
	}
	if opened != sharedFile {
		if err := unix.Dup3(opened, sharedFile, 0); err != nil {
			return fmt.Errorf("the shared file's descriptor: %w", err)
		}
		unix.Close(opened)
	}
	if _, err := os.Stdout.WriteString(sharedNotice); err != nil {
		return err
	}
	// One byte and no more: what follows is for the program.
	if count, err := os.Stdin.Read(make([]byte, 1)); err != nil || count != 1 {
		return errors.New("its caller has gone")
	}
	return nil
}

func (wanted *cage) limit() error {
	limits := []struct {
		name     string
		resource int
		most     uint64
	}{
		{"data", unix.RLIMIT_DATA, wanted.dataBytes},
		{"file size", unix.RLIMIT_FSIZE, wanted.fileBytes},
		{"processor time", unix.RLIMIT_CPU, secondsMax},
		{"open files", unix.RLIMIT_NOFILE, filesMax},
		{"core", unix.RLIMIT_CORE, 0},
		{"locked memory", unix.RLIMIT_MEMLOCK, 0},
		{"message queues", unix.RLIMIT_MSGQUEUE, 0},
	}
	for _, limit := range limits {
		if err := lower(limit.resource, limit.most); err != nil {
			return fmt.Errorf("the limit of %s: %w", limit.name, err)
		}
	}
	return nil
}

// lower leaves a limit that is lower already.
func lower(resource int, most uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	most = min(most, now.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most})
}

// dropPrivileges ends the process with its caller, however that ends, and takes root's capabilities from it.
func dropPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("the death signal: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	none := [2]unix.CapUserData{}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("capset: %w", err)
	}
	return nil
}

// pointers makes what execveat takes: an empty path, the arguments and the environment.
func pointers(command []string) (path *byte, arguments, environment []*byte, err error) {
	if path, err = unix.BytePtrFromString(""); err != nil {
		return
	}
	if arguments, err = syscall.SlicePtrFromStrings(command); err != nil {
		return
	}
	environment, err = syscall.SlicePtrFromStrings(os.Environ())
	return
}
