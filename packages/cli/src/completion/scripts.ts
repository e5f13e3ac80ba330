/** The scripts ask the installed command, and so never list outdated commands. */
export const SCRIPTS = {
  bash: `_concierge() {
  local IFS=$'\\n'
  COMPREPLY=($(concierge __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _concierge concierge`,

  zsh: `#compdef concierge
_concierge() {
  local -a found
  found=(\${(f)"$(concierge __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( \${#found} )) && compadd -a found || _files
}
if [ "$funcstack[1]" = "_concierge" ]; then _concierge; else compdef _concierge concierge; fi`,

  fish: `complete -c concierge -a '(concierge __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
} as const

export type Shell = keyof typeof SCRIPTS
