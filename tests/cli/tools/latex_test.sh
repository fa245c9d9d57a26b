#!/bin/bash
# Compiles the tables of `sweep --latex` by pdflatex, and looks for their cells on the page.
#   latex_test.sh LOCKSTEP
set -eu
lockstep=$1
skip() { echo "skipped: $1"; exit 77; }
command -v pdflatex > /dev/null || skip "pdflatex is not installed (texlive-latex-base)"
command -v kpsewhich > /dev/null && [ -n "$(kpsewhich booktabs.sty)" ] || skip "LaTeX lacks the package booktabs"
command -v pdftotext > /dev/null || skip "pdftotext is not installed (poppler-utils)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Options with underscores and a model's name; signs of mathematics; two algorithms; a failed run.
"$lockstep" sweep all-reduce --on torus:4x4 --scheme bucket,tree --words '16..256*4' \
  --model 'loggp:latency_us=5' --latex > schemes.tex
"$lockstep" sweep sample-sort --on 'crossbar:{4,8}' --n 4096 --latex > sorts.tex
"$lockstep" sweep prefix --on 'tree:{3..5}' --strict --latex > failed.tex || [ $? -eq 1 ]
{
  echo '\documentclass{article}\usepackage{booktabs}\usepackage[a1paper,landscape]{geometry}\begin{document}'
  for table in schemes sorts failed; do echo "\\input{$table.tex}\\par"; done
  echo '\end{document}'
} > page.tex
if ! pdflatex -halt-on-error -interaction=nonstopmode page.tex > log.txt 2>&1; then
  grep -A 3 '^!' log.txt || tail -n 20 log.txt
  exit 1
fi
pdftotext -layout page.pdf page.txt
for wanted in 'bucket' 'scheme' '235.76' '≥' 'failed'; do
  grep -qF -- "$wanted" page.txt || { echo "'$wanted' is not on the page:"; cat page.txt; exit 1; }
done
rows=$(grep -cE '^ *(bucket|tree) ' page.txt)
[ "$rows" -eq 6 ] || { echo "$rows rows of schemes in place of 6:"; cat page.txt; exit 1; }

# Tables are as wide as a page of LaTeX's article; in the middle of a text, too.
on_a_page() { # TABLE
  printf '\\documentclass{article}\\usepackage{booktabs}\\begin{document}\nBefore.\n\n\\input{%s.tex}\n\\end{document}\n' \
    "$1" > narrow.tex
  pdflatex -halt-on-error -interaction=nonstopmode narrow.tex > log.txt 2>&1 || { cat log.txt; exit 1; }
  if grep -F 'Overfull' log.txt; then echo "$1 is wider or higher than a page"; exit 1; fi
}
"$lockstep" sweep all-reduce --on 'torus:{4,8,16}x{4,8,16}' --algorithm ring,bucket --words '1..4096*4' \
  --model paragon --latex > issue.tex
"$lockstep" sweep all-reduce,prefix --on 'hypercube:{2..6}' --latex > two.tex
for table in issue schemes sorts two; do on_a_page "$table"; done
