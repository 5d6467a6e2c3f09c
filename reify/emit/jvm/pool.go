package jvm

import (
	"encoding/binary"
	"math"
)

// The tags of constants (JVMS table 4.4-A).
const (
	tagUtf8    = 1
	tagInteger = 3
	tagFloat   = 4
	tagLong    = 5
	tagDouble  = 6
	tagClass   = 7
	tagString  = 8
	tagField   = 9
	tagMethod  = 10
	tagNamed   = 12
)

// A pool is a constant pool: equal constants are one.
type pool struct {
	buf   []byte
	next  int // index that is free
	index map[string]int
}

func newPool() *pool { return &pool{next: 1, index: map[string]int{}} }

// add returns the index of a constant, whose bytes begin with its tag.
func (p *pool) add(entry []byte) int {
	if at, ok := p.index[string(entry)]; ok {
		return at
	}
	at := p.next
	p.index[string(entry)] = at
	p.buf = append(p.buf, entry...)
	p.next++
	if entry[0] == tagLong || entry[0] == tagDouble {
		p.next++ // JVMS §4.4.5
	}
	return at
}

func (p *pool) utf8(s string) int {
	var room [64]byte
	entry := append(room[:0], tagUtf8)
	entry = binary.BigEndian.AppendUint16(entry, uint16(len(s)))
	return p.add(append(entry, s...))
}

func (p *pool) of(tag byte, refs ...int) int {
	var room [8]byte
	entry := append(room[:0], tag)
	for _, r := range refs {
		entry = binary.BigEndian.AppendUint16(entry, uint16(r))
	}
	return p.add(entry)
}

func (p *pool) class(name string) int { return p.of(tagClass, p.utf8(name)) }

// member returns a field or a method of a class.
func (p *pool) member(tag byte, class, name, descriptor string) int {
	return p.of(tag, p.class(class), p.of(tagNamed, p.utf8(name), p.utf8(descriptor)))
}

func (p *pool) int(v int32) int {
	return p.add(binary.BigEndian.AppendUint32([]byte{tagInteger}, uint32(v)))
}

func (p *pool) long(v int64) int {
	return p.add(binary.BigEndian.AppendUint64([]byte{tagLong}, uint64(v)))
}

func (p *pool) float(v float32) int {
	return p.add(binary.BigEndian.AppendUint32([]byte{tagFloat}, math.Float32bits(v)))
}

func (p *pool) double(v float64) int {
	return p.add(binary.BigEndian.AppendUint64([]byte{tagDouble}, math.Float64bits(v)))
}
