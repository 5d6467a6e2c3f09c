package foreign

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/others/database"
)

// entries returns the functions that can be drawn.
func (d *DB) entries() ([]entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.drawn != nil {
		return d.drawn, nil
	}
	list := []entry{}
	err := d.each(func(rows *sql.Rows) error {
		var e entry
		err := rows.Scan(&e.symbol, &e.class, &e.weight)
		list = append(list, e)
		return err
	}, `SELECT symbol, class, weight FROM function WHERE state = '' ORDER BY symbol`)
	if err != nil {
		return nil, err
	}
	d.drawn = list
	return list, nil
}

// each calls f for each row that a query returns. An error of f is about a single function;
// see explain for others.
func (d *DB) each(f func(rows *sql.Rows) error, query string, args ...any) error {
	var single error
	err := database.Each(d.db, func(rows *sql.Rows) error {
		single = f(rows)
		return single
	}, query, args...)
	if single != nil {
		return single
	}
	return d.explain(err)
}

// Draw returns n functions of a class that are not set aside, or as many as there are,
// by weight, none twice. The same stream and database give the same.
func (d *DB) Draw(class Class, n int, s *choice.Stream) ([]*Function, error) {
	list, err := d.ofClass(class)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, e := range list {
		total += e.weight
	}
	var drawn []*Function
	for len(drawn) < n && len(list) > 0 {
		at := s.Intn(total)
		i := 0
		for ; at >= list[i].weight; i++ {
			at -= list[i].weight
		}
		f, err := d.Function(list[i].symbol)
		if err != nil {
			return nil, err
		}
		drawn = append(drawn, f)
		total -= list[i].weight
		list = slices.Delete(list, i, i+1)
	}
	return drawn, nil
}

// Callable returns an error unless a database has a function to call. The error wraps
// ErrUnusable if there is none.
func Callable(db interface {
	Draw(class Class, n int, s *choice.Stream) ([]*Function, error)
}) error {
	list, err := db.Draw(Any, 1, choice.From(1))
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%w: the database has no function to call", ErrUnusable)
	}
	return err
}

// ofClass returns the functions of a class that can be drawn, in a list of its own.
func (d *DB) ofClass(class Class) ([]entry, error) {
	all, err := d.entries()
	return slices.DeleteFunc(slices.Clone(all), func(e entry) bool {
		return e.class != class && (class != Any || e.class == Dead || e.class == Puns)
	}), err
}

// Symbols returns the symbols of a class as Draw has it, sorted.
func (d *DB) Symbols(class Class) (symbols []string, err error) {
	list, err := d.ofClass(class)
	for _, e := range list {
		symbols = append(symbols, e.symbol)
	}
	return symbols, err
}

// Function returns the function of a symbol, set aside or not. It is shared and must
// not be changed. The error wraps ErrGone if the database does not have the function.
func (d *DB) Function(symbol string) (*Function, error) {
	d.mu.Lock()
	f := d.known[symbol]
	d.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f = &Function{Symbol: symbol}
	var params, result, shape string
	err := d.db.QueryRow(`SELECT text, params, result, class, shape, models, name, line, path, project, version, licence
		FROM function JOIN source ON source.id = function.source WHERE symbol = ?`, symbol).Scan(&f.Text, &params, &result, &f.Class, &shape, &f.Models,
		&f.Origin.Name, &f.Origin.Line, &f.Origin.File, &f.Origin.Project, &f.Origin.Version, &f.Origin.Licence)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = ErrGone
	case err != nil:
		return nil, d.explain(err)
	}
	var types []string
	if err == nil {
		err = errors.Join(json.Unmarshal([]byte(params), &types), json.Unmarshal([]byte(shape), &f.Shape))
	}
	for _, name := range append(types, result) {
		t, known := integerTypes[name]
		if err == nil && !known {
			err = fmt.Errorf("type %q", name)
		}
		f.Params = append(f.Params, t)
	}
	f.Params, f.Result = f.Params[:len(types):len(types)], f.Params[len(types)]
	if err != nil {
		return nil, fmt.Errorf("%s: function %s: %w", d.path, symbol, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[symbol] = f
	return f, nil
}

// integerTypes are the types of parameters and results, by their names.
var integerTypes = func() map[string]ir.Int {
	types := map[string]ir.Int{}
	for _, t := range []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64} {
		types[t.String()] = t
	}
	return types
}()

// Find returns the symbols of the functions of a name in their sources, or of a symbol.
func (d *DB) Find(name string) (symbols []string, err error) {
	err = d.each(func(rows *sql.Rows) error {
		var s string
		err := rows.Scan(&s)
		symbols = append(symbols, s)
		return err
	}, `SELECT symbol FROM function WHERE name = ?1 OR symbol = ?1 ORDER BY id`, name)
	return symbols, err
}

// Pairs returns the pairs of a function that hold in its models: in the order in which
// they were found, those that visited new sets of statements first.
func (d *DB) Pairs(f *Function) (list []Pair, err error) {
	err = d.each(func(rows *sql.Rows) error {
		r, err := d.reply(f, rows)
		list = append(list, r.Pair)
		return err
	}, `SELECT args, want, steps, '' FROM answer WHERE function = (SELECT id FROM function WHERE symbol = ?) ORDER BY n`, f.Symbol)
	return list, err
}

// Asked returns the answers that Learn was given for a function.
func (d *DB) Asked(f *Function) (list []Reply, err error) {
	err = d.each(func(rows *sql.Rows) error {
		r, err := d.reply(f, rows)
		list = append(list, r)
		return err
	}, `SELECT args, want, steps, refused FROM asked WHERE function = (SELECT id FROM function WHERE symbol = ?)`, f.Symbol)
	return list, err
}

// reply reads an answer of f. The error says that there are too few arguments.
func (d *DB) reply(f *Function, rows *sql.Rows) (r Reply, err error) {
	var args []byte
	if err := rows.Scan(&args, &r.Want, &r.Steps, &r.Refused); err != nil {
		return r, err
	}
	if len(args) != 8*len(f.Params) {
		return r, fmt.Errorf("%s: function %s: a pair has %d bytes of arguments for %d parameters", d.path, f.Symbol, len(args), len(f.Params))
	}
	for ; len(args) > 0; args = args[8:] {
		r.Args = append(r.Args, int64(binary.LittleEndian.Uint64(args)))
	}
	return r, nil
}
