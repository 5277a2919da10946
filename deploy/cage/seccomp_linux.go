package main

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data. A word is half an argument; the other half is 0 in what is compared here.
const (
	numberAt   = 0
	machineAt  = 4
	argumentAt = 16
)

// From <asm-generic/ioctls.h>, which amd64 and arm64 share.
const (
	fioReadable    = 0x541b
	fioNonblock    = 0x5421
	fioCloseOnExec = 0x5451
)

// calls are what Node, libvips and libc use beside those that the machine has of its own. Whatever is not named is refused: no
// socket, no process, no tracing, no mount, no user, no clock, no kernel module, nothing that a later kernel adds.
var calls = []uint32{
	// Files that are open, or that Landlock lets it open, and what they are.
	unix.SYS_READ, unix.SYS_READV, unix.SYS_PREAD64, unix.SYS_PREADV, unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_PWRITE64, unix.SYS_PWRITEV,
	unix.SYS_OPENAT, unix.SYS_CLOSE, unix.SYS_LSEEK, unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2,
	unix.SYS_READLINKAT, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_FTRUNCATE, unix.SYS_DUP, unix.SYS_DUP3,
	unix.SYS_FSTATFS, unix.SYS_STATFS, unix.SYS_FADVISE64,
	// Its own memory.
	unix.SYS_BRK, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MEMBARRIER,
	unix.SYS_MINCORE, unix.SYS_MSYNC, unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_FREE, unix.SYS_PKEY_MPROTECT, unix.SYS_GET_MEMPOLICY,
	// Its own threads.
	unix.SYS_FUTEX, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS, unix.SYS_RSEQ, unix.SYS_GETTID,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_GETSCHEDULER,
	unix.SYS_GETCPU, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_RESTART_SYSCALL,
	// Its own signals.
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_RT_SIGPENDING,
	unix.SYS_SIGALTSTACK,
	// Waiting, and what a pipe of its caller's is.
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_EVENTFD2, unix.SYS_PIPE2,
	unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
	unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT, unix.SYS_SHUTDOWN,
	// The time, and what it is itself.
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_GETRANDOM, unix.SYS_GETPID,
	unix.SYS_GETPPID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRUSAGE, unix.SYS_UNAME,
	unix.SYS_SYSINFO, unix.SYS_CAPGET, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETRLIMIT, unix.SYS_UMASK,
}

// missing calls are answered as an old kernel answers them: libc and libuv then use others. Node makes the folder of its compiled modules,
// and takes one that is there only where it was not forbidden to.
var missing = append([]uint32{unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP, unix.SYS_MKDIRAT}, machineMissing...)

// narrow calls are allowed with certain values of one argument, a number of 32 bits.
type narrowCall struct {
	number   uint32
	argument uint32
	values   []uint32
}

func narrowCalls() []narrowCall {
	own := uint32(os.Getpid())
	return []narrowCall{
		// What a descriptor is, but not to whom the kernel sends signals about it.
		{unix.SYS_FCNTL, 1, []uint32{unix.F_GETFL, unix.F_SETFL, unix.F_GETFD, unix.F_SETFD, unix.F_DUPFD_CLOEXEC, unix.F_GET_SEALS}},
		{unix.SYS_IOCTL, 1, []uint32{fioNonblock, fioCloseOnExec, fioReadable, unix.TCGETS}},
		// The name of a thread, and those of its memory.
		{unix.SYS_PRCTL, 0, []uint32{unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA, unix.PR_CAPBSET_READ, unix.PR_GET_DUMPABLE}},
		// Its own limits, which only privileges could raise.
		{unix.SYS_PRLIMIT64, 0, []uint32{0, own}},
		// A signal to itself, by which it aborts.
		{unix.SYS_TGKILL, 0, []uint32{own}},
		// The program, whose descriptor the kernel closes as it executes it. Landlock lets nothing else be executed but its loader.
		{unix.SYS_EXECVEAT, 0, []uint32{programFile}},
	}
}

// restrictCalls refuses whatever system call is not named above, for this thread and all that it becomes.
func restrictCalls() error {
	filter := program()
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, failure := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
	if failure != 0 {
		return fmt.Errorf("seccomp: %w", failure)
	}
	return nil
}

func program() []unix.SockFilter {
	allow := result(unix.SECCOMP_RET_ALLOW)
	refuse := result(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	filter := []unix.SockFilter{
		load(machineAt),
		jump(unix.BPF_JEQ, machine, 1, 0),
		result(unix.SECCOMP_RET_KILL_PROCESS),
		load(numberAt),
		// Numbers of x32, which amd64 kernels may have; no machine has others as high.
		jump(unix.BPF_JGE, 0x40000000, 0, 1),
		refuse,
	}
	for _, number := range append(append([]uint32{}, calls...), machineCalls...) {
		filter = append(filter, jump(unix.BPF_JEQ, number, 0, 1), allow)
	}
	for _, number := range missing {
		filter = append(filter, jump(unix.BPF_JEQ, number, 0, 1), result(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)))
	}
	for _, call := range narrowCalls() {
		filter = append(filter, narrow(call, allow, refuse)...)
	}
	// A thread, and no process.
	return append(filter,
		jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 3), load(argumentAt), jump(unix.BPF_JSET, unix.CLONE_THREAD, 0, 1), allow, refuse)
}

func narrow(call narrowCall, allow, refuse unix.SockFilter) []unix.SockFilter {
	inner := []unix.SockFilter{load(argumentAt + 8*call.argument)}
	for _, value := range call.values {
		inner = append(inner, jump(unix.BPF_JEQ, value, 0, 1), allow)
	}
	inner = append(inner, refuse)
	return append([]unix.SockFilter{jump(unix.BPF_JEQ, call.number, 0, uint8(len(inner)))}, inner...)
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

func jump(test uint16, value uint32, ifTrue, ifFalse uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: ifTrue, Jf: ifFalse, K: value}
}

func result(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}
