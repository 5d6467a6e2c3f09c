package report

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	_ "image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

var screenshots = flag.String("screenshots", "", "directory that pictures of the page go to")

// browser returns the path of a Chromium.
func browser(t *testing.T) string {
	return need.Command(t, "chromium", "chromium", "chromium-browser", "google-chrome")
}

// chromium runs a browser without a window and returns what it prints.
func chromium(t *testing.T, args ...string) string {
	// It takes two seconds on an idle machine.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append([]string{"--headless", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + t.TempDir()}, args...)
	if os.Getuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...) // it does not run as root otherwise
	}
	cmd := exec.CommandContext(ctx, browser(t), args...)
	cmd.WaitDelay = time.Second
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	require.NoError(t, cmd.Run(), "%s", &complaint)
	return out.String()
}

// The page opens from disk, light and dark. The flag screenshots names a directory
// to keep the pictures in.
func TestScreenshots(t *testing.T) {
	browser(t)
	buckets, o := fixture(t)
	dir := t.TempDir()
	write(t, dir, buckets, o)
	for _, tt := range []struct {
		name, scheme string
		paper        color.RGBA // the corner of the page
	}{
		{"light", "1", color.RGBA{0xff, 0xff, 0xff, 0xff}},
		{"dark", "0", color.RGBA{0x0f, 0x14, 0x19, 0xff}},
	} {
		file := filepath.Join(dir, tt.name+".png")
		if *screenshots != "" {
			file = filepath.Join(*screenshots, tt.name+".png")
		}
		chromium(t, "--blink-settings=preferredColorScheme="+tt.scheme, "--window-size=1200,2400", "--screenshot="+file, "file://"+filepath.Join(dir, Index))
		f, err := os.Open(file)
		require.NoError(t, err)
		picture, _, err := image.Decode(f)
		require.NoError(t, f.Close())
		require.NoError(t, err)
		assert.Equal(t, image.Pt(1200, 2400), picture.Bounds().Size())
		assert.Equal(t, tt.paper, color.RGBAModel.Convert(picture.At(2, 2)), "%s paper", tt.name)
		colours := map[color.Color]bool{}
		for y := range 2400 {
			for x := range 1200 {
				colours[picture.At(x, y)] = true
			}
		}
		assert.Greater(t, len(colours), 50, "there is something to see")
	}
}

// On a phone nothing is wider than the page, but for what scrolls by itself.
func TestNarrow(t *testing.T) {
	browser(t)
	buckets, o := fixture(t)
	dir := t.TempDir()
	write(t, dir, buckets, o)
	const width = 360
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/frame", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!DOCTYPE html><iframe id="f" width="%d" height="700" src="/"></iframe><p id="p"></p><script>
			onload = () => { const e = f.contentDocument.documentElement; p.textContent = "is " + e.clientWidth + " holds " + e.scrollWidth + " fills " + e.scrollHeight; }
			</script>`, width)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	said := regexp.MustCompile(`is (\d+) holds (\d+) fills (\d+)`).FindStringSubmatch(chromium(t, "--dump-dom", server.URL+"/frame"))
	require.NotNil(t, said)
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(said[i+1])
	}
	assert.LessOrEqual(t, n[0], width)
	assert.Positive(t, n[0])
	assert.LessOrEqual(t, n[1], n[0], "the page overflows to the right")
	assert.Greater(t, n[2], 1500, "the page is there")
}
