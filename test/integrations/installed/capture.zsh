# Prints the words that zsh offers: zsh -f capture.zsh <script> <line>
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; autoload -Uz compinit; compinit -u -D; source $1"
zpty -w shell '
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
  local -a offered; builtin compadd -A offered "$@"; builtin compadd "$@"; (( $#offered )) && print -rl -- "OFFER:"${^offered}
}
complete-and-exit() { _main_complete; print "FINISHED"; exit }
zle -C complete-and-exit complete-word complete-and-exit
bindkey "^X" complete-and-exit
print "RE""ADY"'
while zpty -r shell line; do [[ $line == *READY* ]] && break; done
zpty -w -n shell "$2"$'\C-X'
while zpty -r shell line; do print -rn -- "$line"; [[ $line == FINISHED* ]] && break; done
zpty -d shell
