package need

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// NoNamespaces has a command that was not started yet run where the kernel gives it no namespaces,
// so that its boxes are behind Landlock. A machine that forbids them anyway is left as it is.
func NoNamespaces(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	own := []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	if os.Getuid() == 0 {
		own[0].Size = 1 << 16 // the user called nobody, too
	}
	attr := syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: own, GidMappings: own}
	if os.Getuid() == 0 {
		attr.GidMappingsEnableSetgroups = true
	} else {
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	const limit = "/proc/sys/user/max_user_namespaces"
	forbid := exec.Command("/bin/sh", "-c", "echo 0 >"+limit+" && cat "+limit)
	forbid.SysProcAttr = &attr
	if out, err := forbid.CombinedOutput(); err != nil || string(out) != "0\n" {
		if _, refused := err.(*exec.ExitError); refused || err == nil {
			t.Fatalf("forbidding namespaces: %v: %s", err, out)
		}
		return // there are none to forbid
	}
	cmd.Args = append([]string{"/bin/sh", "-c", "echo 0 >" + limit + ` && exec "$@"`, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	cmd.SysProcAttr.Cloneflags |= attr.Cloneflags
	cmd.SysProcAttr.UidMappings, cmd.SysProcAttr.GidMappings = attr.UidMappings, attr.GidMappings
	cmd.SysProcAttr.GidMappingsEnableSetgroups = attr.GidMappingsEnableSetgroups
}
