package foreign

import (
	"goreify/reify/choice"
)

// A DB is a database of functions and their pairs.
type DB struct{}

// Open opens the database in a file, and makes it if there is none.
func Open(path string) (*DB, error) { panic("not yet") }

// Close closes the database.
func (d *DB) Close() error { panic("not yet") }

// Draw returns n functions of a class that are not set aside, or as many as there are,
// by weight, none twice. The same stream and database give the same.
func (d *DB) Draw(class Class, n int, s *choice.Stream) ([]*Function, error) { panic("not yet") }

// Function returns the function of a symbol, set aside or not.
func (d *DB) Function(symbol string) (*Function, error) { panic("not yet") }

// Pairs returns the pairs of a function that hold in its models: in the order in which
// they were found, one for each set of visited statements first.
func (d *DB) Pairs(f *Function) ([]Pair, error) { panic("not yet") }

// SetAside records that a function is drawn no more, and why. It keeps the first reason.
func (d *DB) SetAside(symbol, why string) error { panic("not yet") }
