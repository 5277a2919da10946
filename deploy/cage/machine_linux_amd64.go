package main

import "golang.org/x/sys/unix"

const machine = unix.AUDIT_ARCH_X86_64

// Calls that later machines have in another form only.
var machineCalls = []uint32{
	unix.SYS_OPEN, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_POLL, unix.SYS_SELECT,
	unix.SYS_EPOLL_WAIT, unix.SYS_ARCH_PRCTL, unix.SYS_DUP2, unix.SYS_TIME, unix.SYS_PAUSE,
}

var machineMissing = []uint32{unix.SYS_MKDIR}
