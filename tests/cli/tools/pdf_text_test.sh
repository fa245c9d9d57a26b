#!/bin/bash
# Reads the text of handouts and plots by pdftotext, as a reader of PDF finds it.
#   pdf_text_test.sh LOCKSTEP
set -eu
lockstep=$1
skip() { echo "skipped: $1"; exit 77; }
command -v pdftotext > /dev/null || skip "pdftotext is not installed (poppler-utils)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
expect() { # FILE TEXT
  grep -qF -- "$2" "$1" || { echo "'$2' is not in $1:"; cat "$1"; exit 1; }
}

"$lockstep" view cannon --on torus:2x2 --n 4 --pdf 'Schritte-λ.pdf' --per-page 1 > run.txt
pdftotext -layout 'Schritte-λ.pdf' steps.txt
expect steps.txt 'Before the first step'
for name in A B C; do expect steps.txt " $name"; done
"$lockstep" view all-to-all --on ring:4 --slides blocks.pdf > run.txt
pdftotext -layout blocks.pdf blocks.txt
expect blocks.txt 'A1 is the block from processor 0 for processor 1'
expect blocks.txt 'D0'
# A name with letters that only Symbol and accents have.
"$lockstep" compare 'prefix --on tree:4' 'prefix --on tree:8' --plot 'Łódź ≤ λ é.pdf' > run.txt
pdftotext -layout 'Łódź ≤ λ é.pdf' compared.txt
expect compared.txt '≤'
expect compared.txt 'λ'
expect compared.txt 'é'
# A figure for a column is as wide, and the command in docs/sweeps.md embeds its fonts.
if command -v pdftocairo > /dev/null && command -v pdffonts > /dev/null; then
  "$lockstep" sweep all-reduce --on 'torus:{4,8}x4' --algorithm ring,tree --x p --model paragon \
    --plot times.pdf --plot-size column > run.txt
  pdfinfo times.pdf > about.txt
  grep -qE '^Page size: +244\.8 x ' about.txt || { echo "not 3.4 inches wide:"; cat about.txt; exit 1; }
  pdftotext -layout times.pdf times.txt
  for text in ring tree claimed 'time (us)' processors; do expect times.txt "$text"; done
  pdftocairo -pdf times.pdf embedded.pdf
  pdffonts embedded.pdf | tail -n +3 > fonts.txt
  [ -s fonts.txt ] || { echo "no fonts"; exit 1; }
  if ! awk '$(NF - 4) != "yes" { exit 1 }' fonts.txt; then echo "not embedded:"; cat fonts.txt; exit 1; fi
fi
if grep -q '?' compared.txt; then echo "a letter is lost:"; cat compared.txt; exit 1; fi
