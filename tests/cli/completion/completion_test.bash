#!/usr/bin/env bash
# The completion of bash, in a real bash: completion_test.bash LOCKSTEP SCRIPT
set -uo pipefail
lockstep=$1
source "$2"
failed=0

# completes WORD... : REPLY...   with the cursor at the end of the last word
completes() {
  COMP_WORDS=()
  while [[ $1 != '->' ]]; do COMP_WORDS+=("$1"); shift; done
  shift
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _lockstep
  if [[ "${COMPREPLY[*]}" != "$*" ]]; then
    printf '%s\n  becomes   %s\n  and not   %s\n' "${COMP_WORDS[*]}" "${COMPREPLY[*]}" "$*"
    failed=1
  fi
}

[[ $(complete -p lockstep) == "complete -F _lockstep lockstep" ]] || failed=1

completes "$lockstep" "" '->' list run explain view sweep compare calibrate grade paper figure --help --version
completes "$lockstep" ex '->' explain
completes "$lockstep" run all-to-all-b '->' all-to-all-binary
completes "$lockstep" run all-to-all --sc '->' --scheme
completes "$lockstep" paper m '->' mayr-plaxton
completes "$lockstep" figure suh-shin-13 --u '->' --up-to
completes "$lockstep" run prefix --ports p '->' per-pass
completes "$lockstep" run prefix --on tor '->' torus:
# Bash's own splitting, at : and =
completes "$lockstep" run prefix --on hypercube : '->' 3
completes "$lockstep" run prefix --on hypercube : 4 --ki '->' --kind
completes "$lockstep" run prefix --kind backward --on hypercube : 4 --ki '->'
completes "$lockstep" run prefix --on = hyp '->' hypercube:
completes "$lockstep" run prefix --model bdm : t '->' tau_words=
completes "$lockstep" run prefix --model two-level : tau_us = 3,mu '->' 3,mu_us_per_word=

cd "$(mktemp -d)" && mkdir folder && touch file.csv
completes "$lockstep" run prefix --input f '->' file.csv folder
completes "$lockstep" run prefix --input = 'fi' '->' file.csv
completes "$lockstep" figure suh-shin-13 --output f '->' folder
rm -r "$PWD"

completes "$lockstep" nonsense "" '->'
completes "$lockstep" run no-such-algorithm --on "" '->' torus: ring: mesh: line: hypercube: shuffle-exchange: \
  tree: crossbar: butterfly: cube-connected-cycles: graph:
exit $failed
