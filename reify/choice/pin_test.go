package choice_test
var pinned = []int{}
