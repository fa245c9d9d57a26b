#!/bin/bash
# Makes clips by the installed ffmpeg, and looks at their formats, sizes, lengths and frames.
#   clip_test.sh LOCKSTEP
set -eu
lockstep=$1
skip() { echo "skipped: $1"; exit 77; }
command -v ffmpeg > /dev/null || skip "ffmpeg is not installed"
command -v ffprobe > /dev/null || skip "ffprobe is not installed"
ffmpeg -hide_banner -decoders 2> /dev/null | grep -qw librsvg || skip "this ffmpeg reads no SVG"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$lockstep" view broadcast --on hypercube:2 --gif steps.gif --webm steps.webm --svg steps > run.txt
pages=$(ls steps/step-*.svg | wc -l)
[ "$pages" -ge 4 ] || { echo "only $pages pages"; exit 1; }
told() { ffprobe -v error -select_streams v:0 -count_frames -show_entries "$2" -of default=nw=1 "$1"; }
expect() { # FILE ENTRY LINE
  told "$1" "$2" | grep -qx -- "$3" || { echo "$1 is not $3:"; told "$1" "$2"; exit 1; }
}
expect steps.gif stream=codec_name codec_name=gif
expect steps.webm stream=codec_name 'codec_name=vp[89]'
for clip in steps.gif steps.webm; do
  expect $clip stream=width width=960
  expect $clip stream=height height=540
  # Two seconds for each page.
  told $clip format=duration | awk -F= -v pages="$pages" '
    /duration/ { seconds = $2 }
    END { if (seconds < 2 * pages - 0.5 || seconds > 2 * pages + 0.5) {
            print "'$clip' takes " seconds " seconds for " pages " pages"; exit 1 } }'
done
# Pages differ from each other, and are not blank: the first has text on white.
for page in 0 1; do
  ffmpeg -v error -ss $((2 * page + 1)) -i steps.webm -frames:v 1 -f rawvideo -pix_fmt gray $page.gray
done
if cmp -s 0.gray 1.gray; then echo "the first two pages are alike"; exit 1; fi
colours=$(od -An -v -tu1 -w1 0.gray | sort -u | wc -l)
[ "$colours" -gt 20 ] || { echo "the first page has only $colours shades"; exit 1; }
