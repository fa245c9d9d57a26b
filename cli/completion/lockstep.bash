# Completion of lockstep for bash. What may stand where, lockstep itself knows: `lockstep complete
# WORD...` prints what the last word may become, a candidate a line, with its help after a tab.

_lockstep() {
  # Bash has split words at = and :, as in torus:12x12; here they are whole.
  local words=() word glue=no
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ ${#words[@]} -gt 1 && ($glue == yes || $word =~ ^[=:]+$) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word =~ ^[=:]+$ ]] && glue=yes || glue=no
  done
  local current=${words[-1]} known=${COMP_WORDBREAKS//[^=:]/} done_already=
  [[ -n $known ]] && done_already=${current%"${current##*["$known"]}"}

  COMPREPLY=()
  local candidate
  while IFS=$'\t' read -r candidate _; do
    case $candidate in
      '<files>' | '<folders>')
        local kind=-f
        [[ $candidate == '<folders>' ]] && kind=-d
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen $kind -- "${current#--*=}")
        ;;
      *)
        # Bash keeps what stands before the last = or : and replaces the rest.
        COMPREPLY+=("${candidate#"$done_already"}")
        [[ $candidate == *[=:] ]] && compopt -o nospace 2>/dev/null
        ;;
    esac
  done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}

complete -F _lockstep lockstep
