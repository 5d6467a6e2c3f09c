package oracle_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"goreify/compilers"
	"goreify/reify/oracle"
)

// machine returns an oracle with the compilers of this machine.
func machine(t *testing.T) *oracle.Oracle {
	o := asking(t, compilers.EnvFrom(os.Environ()))
	for _, u := range o.Unusable {
		t.Log("not used:", u)
	}
	return o
}

// newest returns the newest target of each family.
func newest(o *oracle.Oracle) []compilers.Target {
	var list []compilers.Target
	for _, family := range []string{"gcc", "clang"} {
		for _, t := range slices.Backward(o.Targets) {
			if t.ID().Family == family {
				list = append(list, t)
				break
			}
		}
	}
	return list
}

// patience returns limits for large batches and for sanitizers.
func patience(o *oracle.Oracle) compilers.Limits {
	limits := o.Limits.ForSanitizers()
	limits.CompileCPU, limits.CompileWall, limits.CompileMemory = 60*time.Second, 5*time.Minute, 0
	limits.RunWall = time.Minute
	return limits
}
