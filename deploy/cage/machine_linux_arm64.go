package main

import "golang.org/x/sys/unix"

const machine = unix.AUDIT_ARCH_AARCH64

// The call that amd64 names otherwise.
var machineCalls = []uint32{unix.SYS_FSTATAT}

var machineMissing []uint32
