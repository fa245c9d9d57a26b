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
if grep -q '?' compared.txt; then echo "a letter is lost:"; cat compared.txt; exit 1; fi
