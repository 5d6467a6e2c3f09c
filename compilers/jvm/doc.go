// Package jvm has HotSpot, the virtual machine of OpenJDK, as a family of targets.
//
//	java             that on PATH, or else the last that is here
//	java-21          or temurin-25: of those below /usr/lib/jvm, or in the user's cache, what begins so
//	java-28@trunk    of those below /usr/lib/jvm in the root directory that is called trunk
//	java=/opt/jdk    a JDK, such as one that make has built, or its bin/java
//
// Words behind a name are flags. With -zero it is Zero, which only interprets and shares
// no code generator with HotSpot: another family, which vouches for programs.
//
// A program is a class that lists the calls that are to be made, and what it prints is
// what they come to: package reify/emit/jvm says how. A runner makes the calls, of which
// both the source and what javac makes of it are here, for a JRE has no compiler. Users
// of a JDK type java FLAGS Repro.java. Like engines of WebAssembly, virtual machines are
// asked by servers; see package served.
//
// # Decisions
//
// Schedules belong to modes. @tiered has the runner call each function hundreds of times, on
// one input before others, in turn, or one after another; -Dtrain=N says how often. A call
// whose answer is not always the same varies, which no answer does. So programs and
// reproducers are the same in all modes, and hot paths, of hundreds of rounds in one call,
// are a kind of functions in every language.
//
// A runner in Java makes the calls, whose classes are here as well as its source, for a JRE
// has no compiler. Only what is tested is compiled (compileonly): else -Xcomp takes seconds
// to start. @c1 and @c2 do not inline checksums, for which C2 took half of its time. Zero,
// the interpreter without assembly that OpenJDK has, is another family, so that two vouch
// under Java's rules.
package jvm
