#!/usr/bin/env zsh
# The completion of zsh, in a real, interactive zsh: completion_test.zsh LOCKSTEP SCRIPT
emulate -R zsh
zmodload zsh/zpty
lockstep=$1
folder=$(mktemp -d)
trap 'zpty -d shell 2>/dev/null; rm -rf $folder' EXIT
mkdir $folder/functions $folder/bin $folder/here
cp $2 $folder/functions/_lockstep
ln -s $lockstep $folder/bin/lockstep
mkdir $folder/here/folder; touch $folder/here/file.csv

# A shell in which control-x completes the line and writes what it has become.
cat >$folder/.zshrc <<END
PS1=; unsetopt beep; setopt no_auto_menu
path=($folder/bin \$path) fpath=($folder/functions \$fpath)
autoload -Uz compinit && compinit -D -u
complete_and_write() {
  zle complete-word
  print -rn -- "\$BUFFER" >$folder/new && mv $folder/new $folder/line
  zle kill-whole-line
}
zle -N complete_and_write
bindkey '^X' complete_and_write
cd $folder/here
print ready >$folder/ready
END
zpty shell "ZDOTDIR=$folder TERM=dumb zsh -d -i"

appears() { # FILE, within 15 s
  repeat 1500; do [[ -e $1 ]] && return 0; sleep 0.01; done
  print "no shell: $1"; exit 1
}
appears $folder/ready

failed=0
completes() { # LINE BECOMES
  rm -f $folder/line
  zpty -w -n shell "$1"$'\x18'
  appears $folder/line
  local line="$(<$folder/line)"
  [[ $line == "$2" ]] && return
  print -r -- "'$1' becomes '$line' and not '$2'"
  failed=1
}

completes 'lockstep exp' 'lockstep explain '
completes 'lockstep run all-to-all-b' 'lockstep run all-to-all-binary '
completes 'lockstep run all-to-all --sc' 'lockstep run all-to-all --scheme '
completes 'lockstep paper m' 'lockstep paper mayr-plaxton '
completes 'lockstep figure suh-shin-1' 'lockstep figure suh-shin-1'
completes 'lockstep figure suh-shin-13 --u' 'lockstep figure suh-shin-13 --up-to '
completes 'lockstep run prefix --ports p' 'lockstep run prefix --ports per-pass '
completes 'lockstep run prefix --on tor' 'lockstep run prefix --on torus:'
completes 'lockstep run prefix --on hypercube:' 'lockstep run prefix --on hypercube:3 '
completes 'lockstep run prefix --on=hyp' 'lockstep run prefix --on=hypercube:'
completes 'lockstep run prefix --model bdm:t' 'lockstep run prefix --model bdm:tau_words='
completes 'lockstep run prefix --input fi' 'lockstep run prefix --input file.csv '
completes 'lockstep run prefix --input=fi' 'lockstep run prefix --input=file.csv '
completes 'lockstep figure suh-shin-13 --output f' 'lockstep figure suh-shin-13 --output folder/'
completes 'lockstep nonsense x' 'lockstep nonsense x'
exit $failed
