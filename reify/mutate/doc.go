// Package mutate makes variants of functions whose answers are known. A variant returns
// the same for the same arguments, and differs for a compiler (equivalence modulo
// inputs; Le, Afshari, Su, PLDI 2014).
//
//	func @f(%a i32) i32 {                 func @f(%a i32) i32 {
//	  entry:                                entry:
//	    if %a < 3 goto b1 else b2             if %a < 3 goto b1 else b2
//	  b1:                                   b1:
//	    %a = %a * 5                           %a = %a * 5
//	    goto exit                             goto exit
//	  b2:                                   b2:
//	    %a = %a / 0                           goto b1
//	    goto exit                           exit:
//	  exit:                                   return %a
//	    return %a                           }
//	}
//	case f(a = 2) = 10 path entry b1 exit
//
// lacks the statement of b2, which the case does not visit, and b2 has another
// successor: these are the passes prune and edge. The table in table.go has all passes.
// Those on dead code change blocks that no case visits, edges that none takes, and
// operands that none evaluates. Those on live code rest on the values of variables at
// each visit, as package observe finds them.
//
// A pass may rest on the seed's runs: on the dead blocks, and on the rows at each point
// of the seed. A pass leaves the values of the seed's variables at these points as they
// are, so this holds after any number of passes. All the same, a variant is proved by
// ir.Check and a run of each case.
//
// Inject puts calls of foreign functions in, which others wrote; see Host.
//
// # Decisions
//
// Variants are proved, too. A variant of a function (mutate) does the same for all its
// inputs. Dead code is known from runs, block by block, edge by edge, operand by operand,
// and live code rests on the values at each visit. The interpreter runs each variant, so one
// that is wrong is a bug of ours that names the passes. A program's input holds what its
// variants are made of, the text of a reproducer included: a hunt goes on whatever becomes
// of corpus/. The kinds are taken only where -mix names them, until a bench shows that they
// add to the others.
package mutate
