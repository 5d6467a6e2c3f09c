package jvm

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// screened are the flags that a reproducer may bring besides switches: they choose what is compiled how.
var screened = regexp.MustCompile(`^-XX:[+-](?:Use|Stress|Eliminate|Do|Optimize|Loop|Partial|Split|Reassociate|Reduce|Block|Align|Incremental|Super|Tiered|Special|Aggressive|C1)[A-Za-z0-9]*$|` +
	`^-XX:(?:StressSeed|Loop\w*|PartialPeel\w*|TieredStopAtLevel|CompileThresholdScaling|UseAVX|UseSSE|MaxVectorSize|LiveNodeCountInliningCutoff|Tier\w*Threshold)=[\d.]+$|^-X(?:int|comp|batch)$|^-Dtrain=\d+$`)

// Screen returns nil if a reproducer may bring these flags along.
func (m Machine) Screen(args ...string) error {
	return compilers.ScreenEach(args, "machine", func(arg string) bool {
		if m.own != nil {
			return false
		}
		// UsePerfData writes a file for tools that watch a machine.
		return (arg == zeroFlag || slices.Contains(switches, arg) || screened.MatchString(arg)) && !strings.Contains(arg, "UsePerfData")
	})
}

// switches are flags that leave out something each, of all versions: a version takes no
// notice of those that it does not know. Which tiers compile comes last.
var switches = []string{
	"-XX:-PartialPeelLoop", "-XX:-LoopUnswitching", "-XX:LoopUnrollLimit=0", "-XX:LoopMaxUnroll=0", "-XX:-UseLoopPredicate", "-XX:-UseProfiledLoopPredicate",
	"-XX:LoopStripMiningIter=0", "-XX:-UseCountedLoopSafepoints", "-XX:-PartialPeelAtUnsignedTests", "-XX:-ReassociateInvariants", "-XX:-RangeCheckElimination",
	"-XX:LoopOptsCount=0", "-XX:-UseSuperWord", "-XX:-SuperWordReductions", "-XX:-SplitIfBlocks", "-XX:-UseJumpTables", "-XX:-UseDivMod",
	"-XX:-DoEscapeAnalysis", "-XX:-EliminateAllocations", "-XX:-EliminateLocks", "-XX:-EliminateNestedLocks", "-XX:-OptimizePtrCompare", "-XX:-ReduceBulkZeroing",
	"-XX:-ReduceFieldZeroing", "-XX:-ReduceInitialCardMarks", "-XX:-OptimizeExpensiveOps", "-XX:-OptimizeFill", "-XX:-BlockLayoutByFrequency", "-XX:-BlockLayoutRotateLoops",
	"-XX:-UseMathExactIntrinsics", "-XX:-InlineObjectCopy", "-XX:-UseCMoveUnconditionally", "-XX:ConditionalMoveLimit=0", "-XX:-UseFPUForSpilling", "-XX:-UseTypeSpeculation",
	"-XX:-UseOnStackReplacement", "-XX:-UseRTMLocking", "-XX:-UseBMI1Instructions", "-XX:-UseBMI2Instructions", "-XX:-UseCountLeadingZerosInstruction",
	"-XX:-UseCountTrailingZerosInstruction", "-XX:-UsePopCountInstruction", "-XX:UseAVX=0", "-XX:-AggressiveUnboxing", "-XX:-ProfileDynamicTypes",
	"-XX:-StressIGVN", "-XX:-StressGCM", "-XX:-StressLCM", "-XX:-StressCCP",
	"-XX:-UseLocalValueNumbering", "-XX:-UseGlobalValueNumbering", "-XX:-UseLoopInvariantCodeMotion", "-XX:-C1UpdateMethodData", "-XX:-C1OptimizeVirtualCallProfiling",
	"-XX:TieredStopAtLevel=3", "-XX:TieredStopAtLevel=1",
}

// Switches returns flags, each of which leaves out something. The search for a culprit uses
// them.
func (m Machine) Switches(context.Context, *compilers.Workspace, compilers.Limits) []string {
	if m.own != nil {
		return nil
	}
	return switches
}

// FlagSets returns flags to hunt with: other orders of what is done, and other choices.
func (m Machine) FlagSets() []compilers.FlagSet {
	var sets []compilers.FlagSet
	if m.own != nil {
		return nil
	}
	add := func(flags ...string) { sets = append(sets, compilers.FlagSet{Flags: flags}) }
	for seed := range 8 {
		add("-XX:+StressIGVN", "-XX:+StressGCM", "-XX:+StressLCM", "-XX:+StressCCP", fmt.Sprintf("-XX:StressSeed=%d", seed+2))
	}
	add("-XX:LoopUnrollLimit=0")
	add("-XX:LoopUnrollLimit=400", "-XX:LoopMaxUnroll=32")
	add("-XX:LoopStripMiningIter=0")
	add("-XX:-DoEscapeAnalysis")
	add("-XX:-PartialPeelLoop", "-XX:-LoopUnswitching")
	add("-XX:PartialPeelNewPhiDelta=100")
	add("-XX:UseAVX=0")
	add("-XX:+AlignVector")
	add("-XX:+UseCMoveUnconditionally", "-XX:+UseVectorCmov")
	add("-XX:-UseJumpTables")
	add("-XX:+OptimizeFill")
	return sets
}
