// Package need is for tests of what not every machine has. Where it is missing
// they say aloud what is not tested, and fail if REIFY_REQUIRE names it.
//
// # Decisions
//
// Tests that take long begin with need.Long, which -short skips. Stand-ins of hunts copy
// what gcc made of the same text before, instead of compiling it again.
//
// A fresh machine is a root directory of Debian 12 with gcc, make and Go, made by make
// fresh, which takes root. A machine is entered by pivot_root and may use user namespaces, a
// container by chroot and may not; each is tried as root and as an ordinary user, with
// packages to be had and without. Tests say NOT TESTED there for what they need (tools/need:
// box, landlock, m32, ...), and fail where REIFY_REQUIRE names it.
package need
