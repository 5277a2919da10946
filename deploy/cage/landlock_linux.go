package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	readRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	// Signals and abstract sockets of processes outside.
	scopes = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// What a program needs of the system to be loaded; not all of them are everywhere.
var systemReadable = []string{
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/dev/null", "/dev/urandom", "/dev/random", "/dev/zero", "/sys/devices/system/cpu",
}

// The kernel opens them when it executes a program.
var loaders = []string{"/lib64/ld-linux-*", "/lib/ld-linux-*", "/lib/*/ld-linux-*", "/lib/ld-musl-*", "/lib64/ld-musl-*"}

// landlockVersion returns 0 where the kernel has none.
func landlockVersion() int {
	abi, _, failure := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if failure != 0 {
		return 0
	}
	return int(abi)
}

// restrictFiles lets the process read what it names and what the system loads programs with, and nothing else.
func restrictFiles(abi int, readable []string, program string) error {
	if abi < 1 {
		return errors.New("the kernel has no Landlock")
	}
	handled, size := handledBy(abi)
	ruleset, _, failure := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&handled)), size, 0)
	if failure != 0 {
		return fmt.Errorf("landlock_create_ruleset: %w", failure)
	}
	defer unix.Close(int(ruleset))
	for _, path := range append(readable, systemReadable...) {
		if err := allow(int(ruleset), path, readRights); err != nil {
			return err
		}
	}
	for _, pattern := range loaders {
		found, _ := filepath.Glob(pattern)
		for _, path := range found {
			if err := allow(int(ruleset), path, fileRights); err != nil {
				return err
			}
		}
	}
	if program != "" {
		if err := allow(int(ruleset), program, fileRights); err != nil {
			return err
		}
	}
	if _, _, failure := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); failure != 0 {
		return fmt.Errorf("landlock_restrict_self: %w", failure)
	}
	return nil
}

// handledBy returns what this kernel can refuse, all of which is refused, and how many bytes say so.
func handledBy(abi int) (unix.LandlockRulesetAttr, uintptr) {
	handled := unix.LandlockRulesetAttr{Access_fs: unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1}
	if abi >= 2 {
		handled.Access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		handled.Access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		handled.Access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi < 4 {
		return handled, 8
	}
	handled.Access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	if abi < 6 {
		return handled, 16
	}
	handled.Scoped = scopes
	return handled, 24
}

// allow leaves out what is not there. Of a file, the right to read folders is none.
func allow(ruleset int, path string, rights uint64) error {
	opened, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(opened)
	var about unix.Stat_t
	if err := unix.Fstat(opened, &about); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if about.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &^= unix.LANDLOCK_ACCESS_FS_READ_DIR
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(opened)}
	_, _, failure := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if failure != 0 {
		return fmt.Errorf("landlock_add_rule of %s: %w", path, failure)
	}
	return nil
}
