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
)

// unpacked returns the arguments of f. The error says that there are too few arguments.
func (d *DB) unpacked(f *Function, b []byte) (args []int64, err error) {
	if len(b) != 8*len(f.Params) {
		return nil, fmt.Errorf("%s: function %s: a pair has %d bytes of arguments for %d parameters", d.path, f.Symbol, len(b), len(f.Params))
	}
	for ; len(b) > 0; b = b[8:] {
		args = append(args, int64(binary.LittleEndian.Uint64(b)))
	}
	return args, nil
}

// entries returns the functions that can be drawn.
func (d *DB) entries() ([]entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.drawn != nil {
		return d.drawn, nil
	}
	rows, err := d.db.Query(`SELECT symbol, class, weight FROM function WHERE state = '' ORDER BY symbol`)
	if err != nil {
		return nil, d.explain(err)
	}
	defer rows.Close()
	list := []entry{}
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.symbol, &e.class, &e.weight); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if err := rows.Err(); err != nil {
		return nil, d.explain(err)
	}
	d.drawn = list
	return list, nil
}

// Draw returns n functions of a class that are not set aside, or as many as there are,
// by weight, none twice. The same stream and database give the same.
func (d *DB) Draw(class Class, n int, s *choice.Stream) ([]*Function, error) {
	all, err := d.entries()
	if err != nil {
		return nil, err
	}
	var list []entry
	total := 0
	for _, e := range all {
		if e.class == class || class == Any && e.class != Dead && e.class != Puns {
			list = append(list, e)
			total += e.weight
		}
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

// Symbols returns the symbols of a class as Draw has it, sorted.
func (d *DB) Symbols(class Class) ([]string, error) {
	all, err := d.entries()
	var list []string
	for _, e := range all {
		if e.class == class || class == Any && e.class != Dead && e.class != Puns {
			list = append(list, e.symbol)
		}
	}
	return list, err
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
	for _, t := range types {
		f.Params = append(f.Params, integerType(t, &err))
	}
	f.Result = integerType(result, &err)
	if err != nil {
		return nil, fmt.Errorf("%s: function %s: %w", d.path, symbol, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[symbol] = f
	return f, nil
}

// integerType returns the type of a name. Unless err is set already, it sets err for a
// name that is not a type.
func integerType(name string, err *error) ir.Int {
	for _, t := range []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64} {
		if t.String() == name {
			return t
		}
	}
	if *err == nil {
		*err = fmt.Errorf("type %q", name)
	}
	return ir.Int{}
}

// Find returns the symbols of the functions of a name in their sources, or of a symbol.
func (d *DB) Find(name string) (symbols []string, err error) {
	rows, err := d.db.Query(`SELECT symbol FROM function WHERE name = ?1 OR symbol = ?1 ORDER BY id`, name)
	if err != nil {
		return nil, d.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		symbols = append(symbols, s)
	}
	return symbols, d.explain(rows.Err())
}

// Pairs returns the pairs of a function that hold in its models: in the order in which
// they were found, those that visited new sets of statements first.
func (d *DB) Pairs(f *Function) ([]Pair, error) {
	rows, err := d.db.Query(`SELECT args, want, steps FROM answer WHERE function = (SELECT id FROM function WHERE symbol = ?) ORDER BY n`, f.Symbol)
	if err != nil {
		return nil, d.explain(err)
	}
	defer rows.Close()
	var list []Pair
	for rows.Next() {
		var p Pair
		var args []byte
		if err := rows.Scan(&args, &p.Want, &p.Steps); err != nil {
			return nil, err
		}
		if p.Args, err = d.unpacked(f, args); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, d.explain(rows.Err())
}

// Asked returns the answers that Learn was given for a function.
func (d *DB) Asked(f *Function) ([]Reply, error) {
	rows, err := d.db.Query(`SELECT args, want, steps, refused FROM asked WHERE function = (SELECT id FROM function WHERE symbol = ?)`, f.Symbol)
	if err != nil {
		return nil, d.explain(err)
	}
	defer rows.Close()
	var list []Reply
	for rows.Next() {
		var r Reply
		var args []byte
		if err := rows.Scan(&args, &r.Want, &r.Steps, &r.Refused); err != nil {
			return nil, err
		}
		if r.Args, err = d.unpacked(f, args); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, d.explain(rows.Err())
}
