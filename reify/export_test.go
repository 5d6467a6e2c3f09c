package reify

// FurtherInputs lets tests look for inputs of functions that no recipe makes.
var FurtherInputs = furtherInputs
