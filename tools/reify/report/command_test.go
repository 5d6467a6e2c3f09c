package report

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
)

// TestOwnCommands makes the commands of all reproducers again.
func TestOwnCommands(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "..", "corpus", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		e, err := corpus.Load(path)
		require.NoError(t, err)
		assert.Equal(t, e.Command, command(e, e.Command), path)
		if e.ReducedCommand != "" {
			assert.Equal(t, e.ReducedCommand, command(e, e.ReducedCommand), path)
		}
	}
}

// TestCommandsOfStrangers leaves out all that does more than to compile and run.
func TestCommandsOfStrangers(t *testing.T) {
	e, err := corpus.Load(filepath.Join("testdata", "buckets", "a-reduced.txtar"))
	require.NoError(t, err)
	e.Members = map[string]string{"evil": "-wrapper touch,x\n", "evil.env": "GOFLAGS=-toolexec=x\n"}
	for _, text := range []string{
		"gcc-12 @evil repro.c", "gcc-12 --specs evil repro.c", "clang-19 --config evil repro.c", "java @evil Repro.java", "env GOENV=evil.env go build repro.go",
		"go build --toolexec ./evil repro.go", "a/qemu-arm ./repro", "qemu-arm -L /tmp ./repro", "qemu-arm -cpu max -L /tmp ./repro", "qemu-arm -cpu max", "qemu-arm -cpu '-L' ./repro",
		"", "touch x", "gcc-12 -O2 repro.c -o repro; touch x", "gcc-12 -O2 repro.c -o repro && touch x", "gcc-12 -O2 repro.c -o /etc/x",
		"gcc-12 -O2 repro.c -o repro $(touch x)", "gcc-12 -O2 repro.c -o repro `touch x`", "gcc-12 -O2 repro.c\ntouch x", "gcc-12 -O2 repro.c | sh",
		"gcc-12 -wrapper touch,x repro.c", "gcc-12 -fplugin=./repro.c repro.c", "gcc-12 -B. repro.c", "gcc-12 @repro.c", "gcc-12 -include /etc/passwd repro.c",
		"java -XX:OnError='touch x' Repro.java", "java '-XX:OnError=touch x' Repro.java", "java -agentpath:x Repro.java", "java -XX:ErrorFile=/etc/x Repro.java",
		"env GOFLAGS=-toolexec=x go build repro.go", "env 'GOFLAGS=-toolexec=x y' go build repro.go", "go build '-gcflags=-o x' repro.go", "go run /etc/x.go",
		"LD_PRELOAD=x gcc-12 repro.c", "env PATH=. gcc-12 repro.c", "./../gcc repro.c", "/tmp/../x/gcc repro.c", "timeout 10 sh repro.c", "bash", "gcc-12 repro.c >x",
		"{ timeout 10 touch x || echo \"exit status $?\"; } | diff want.txt -", "gcc-12 -O2 repro.c -o repro || touch x",
		"gcc-12 repro.c -o repro && { timeout 10 ./repro || touch x; } | diff want.txt -", "gcc-12 -O2 'repro.c' 'a'\\''b'", "gcc-12 \x1b[2J repro.c", "gcc-12 ' repro.c",
	} {
		assert.Empty(t, command(e, text), "%q", text)
	}
	for _, text := range []string{
		"gcc-12 -O2 -w repro.c -o repro && { timeout 10 ./repro || echo \"exit status $?\"; } | diff want.txt -", "timeout 60 clang-19 -O1 repro.c",
		"go build -race -gcflags=-d=checkptr=0 -o repro repro.c && env GORACE=atexit_sleep_ms=0 ./repro",
		"timeout 10 qemu-riscv64 -cpu max,vlen=256 ./repro", "qemu-s390x ./repro",
		"env GOTOOLCHAIN=local GOROOT=/home/me/go /home/me/go/bin/go build -o repro repro.c",
	} {
		assert.Equal(t, text, command(e, text))
	}
}
