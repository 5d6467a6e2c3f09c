package need

import (
	"runtime/metrics"
	"syscall"
	"testing"
	"time"
)

// The bounds of what a file of a stranger may cost, one of MostInput bytes at most.
const (
	MostInput   = 1 << 20
	mostCPU     = 2 * time.Second
	mostAllocs  = 500 << 20
	allocations = "/gc/heap/allocs:bytes"
)

// Little calls f, and fails the test if that takes more than two CPU seconds of this
// process, or allocates more than 500 MB in all.
func Little(t testing.TB, f func()) {
	t.Helper()
	cpu, bytes := spent()
	f()
	cpuThen, bytesThen := spent()
	if cpuThen-cpu > mostCPU || bytesThen-bytes > mostAllocs {
		t.Errorf("it took %v of CPU time and %d MB, want at most %v and %d MB", cpuThen-cpu, (bytesThen-bytes)>>20, mostCPU, mostAllocs>>20)
	}
}

// spent returns the CPU time of this process, and the bytes that it has allocated.
func spent() (cpu time.Duration, bytes uint64) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) == nil {
		cpu = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	sample := []metrics.Sample{{Name: allocations}}
	metrics.Read(sample)
	return cpu, sample[0].Value.Uint64()
}
