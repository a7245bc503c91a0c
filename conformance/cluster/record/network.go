package main

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"unsafe"
)

// isolatedVariable marks the process inside of the network namespace.
const isolatedVariable = "RECORD_ISOLATED"

// isolateNetwork runs the program again in a network namespace that has only a loopback interface, and ends with it.
// It returns false where the system allows no namespace: then the programs only listen on the loopback interface.
func isolateNetwork() (bool, error) {
	if os.Getenv(isolatedVariable) != "" {
		return true, raiseLoopback()
	}
	inner := exec.Command("/proc/self/exe", os.Args[1:]...)
	inner.Stdin, inner.Stdout, inner.Stderr = os.Stdin, os.Stdout, os.Stderr
	inner.Env = append(os.Environ(), isolatedVariable+"=yes")
	inner.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGTERM}
	if os.Getuid() != 0 {
		inner.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		inner.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		inner.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	if err := inner.Start(); err != nil {
		return false, nil
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for received := range signals {
			_ = inner.Process.Signal(received)
		}
	}()
	var exited *exec.ExitError
	if err := inner.Wait(); errors.As(err, &exited) {
		os.Exit(exited.ExitCode())
	} else if err != nil {
		return false, err
	}
	os.Exit(0)
	return true, nil
}

// raiseLoopback brings the loopback interface of a new namespace up, as `ip link set lo up` does.
func raiseLoopback() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(socket) }()
	request := struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: uint16(net.FlagUp)}
	copy(request.name[:], "lo")
	if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); code != 0 {
		return code
	}
	return nil
}
