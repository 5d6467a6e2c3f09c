// Package cmdline is what the command lines of reify and lab share: exit statuses,
// help, flags that each of their commands takes, standard output that is not lost,
// compilers that are opened in a box, and progress.
//
// # Decisions
//
// Two commands. reify is for users, lab only measures; cmdline has what both share. A test
// holds the number of commands, flags, targets and variables (tools/reify/bounds_test.go),
// another gives each command of the README.
//
// One signal ends a command within a second. Commands end in order in a third of that. One
// that waits for what no context ends (a reader, a lock, a file system) is not waited for:
// its boxes end, its workspaces are removed, and the exit status is 2 (cmdline/ending.go).
// Nothing is lost, as nothing is when it is killed.
package cmdline
