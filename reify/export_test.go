package reify

// FurtherInputs lets tests look for inputs of functions that no recipe makes.
var FurtherInputs = furtherInputs

// MostScalars lets tests compare its bound with functions.
var MostScalars = mostScalars
