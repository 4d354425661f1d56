import type { CompletionWords } from './completion-words.ts'
import { quoteWord } from './quote-word.ts'

/**
 * Returns the function for bash: it finds the command and the place of the word, and offers fixed words, what
 * `waybill __complete` lists, or files. It works in bash 3.2, the bash of macOS.
 */
export function bashScript(words: readonly CompletionWords[]): string {
  const cases = words.map(({ path, commands, options, choices, kinds, variadic }) => {
    const flags = options.map(({ flag }) => flag)
    const takes = options.filter(({ kind }) => kind !== undefined).map(({ flag }) => flag)
    const plain = [...commands.map(({ name }) => name), ...choices]
    const set = Object.entries({ words: plain, flags, takes, kinds })
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => `${name}=${quoteWord(list.join(' '))}`)
    return `    ${quoteWord(path)}) ${[...set, ...(variadic ? ['more=1'] : [])].join('; ')} ;;`
  })
  const values = words.flatMap(({ path, options }) =>
    options.flatMap(({ flag, values: known, kind }) => {
      if (kind === undefined) return []
      const set = known === undefined ? `kind=${kind}` : `values=${quoteWord(known.join(' '))}`
      return [`    ${quoteWord(`${path} ${flag}`)}) ${set} ;;`]
    }),
  )
  const paths = words.filter(({ path }) => path !== '').map(({ path }) => quoteWord(path))
  return `_waybill() {
  local cur prev command word candidate words flags takes kinds more values kind line value i at place
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  # bash splits a word at each colon, as in a URL.
  line=\${COMP_LINE:0:\${COMP_POINT:-0}}
  if [[ $line == *:* && $cur != "\${line##*[[:space:]]}" ]]; then
    cur=\${line##*[[:space:]]}
    line=\${line%"$cur"}
    line=\${line%"\${line##*[![:space:]]}"}
    prev=\${line##*[[:space:]]}
  fi
  command='' at=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    candidate=\${command:+$command }\${COMP_WORDS[i]}
    case $candidate in ${paths.join(' | ')}) command=$candidate at=$i ;; esac
  done
  words='' flags='' takes='' kinds='' more='' values='' kind=''
  case $command in
${cases.join('\n')}
  esac
  case "$command $prev" in
${values.join('\n')}
  esac
  COMPREPLY=()
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
    return
  fi
  if [ -z "$kind" ]; then
    if [[ $cur == -* ]]; then
      COMPREPLY=($(compgen -W "$flags" -- "$cur"))
      return
    fi
    if [ -n "$words" ]; then
      COMPREPLY=($(compgen -W "$words" -- "$cur"))
      return
    fi
    place=0
    for ((i = at + 1; i < COMP_CWORD; i++)); do
      word=\${COMP_WORDS[i]}
      if [[ $word != -* ]]; then
        place=$((place + 1))
      elif [[ " $takes " == *" $word "* ]]; then
        i=$((i + 1))
      fi
    done
    set -- $kinds
    if ((place < $#)); then
      shift $place
      kind=$1
    elif [[ -n $more ]]; then
      kind=\${!#}
    else
      kind=none
    fi
  fi
  case $kind in
    none) ;;
    files) _waybill_files ;;
    definitions) _waybill_files yaml yml json ;;
    *)
      while IFS=$'\\t' read -r value _; do
        [[ -n $value && $value == "$cur"* ]] && COMPREPLY+=("$value")
      done < <("\${COMP_WORDS[0]}" __complete "$kind" "$cur" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
      if [[ $kind == models && \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == */ ]]; then
        compopt -o nospace 2>/dev/null
      fi
      if [[ $kind == resumable && \${#COMPREPLY[@]} == 0 ]]; then _waybill_files json jwe; fi
      if [[ $cur == *:* ]]; then
        candidate=\${cur%"\${cur##*:}"}
        for ((i = 0; i < \${#COMPREPLY[@]}; i++)); do COMPREPLY[i]=\${COMPREPLY[i]#"$candidate"}; done
      fi
      ;;
  esac
}
# Offers folders, and files with these endings, or all files.
_waybill_files() {
  local name ending
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    if (($# == 0)) || [ -d "$name" ]; then COMPREPLY+=("$name"); continue; fi
    for ending in "$@"; do
      [[ $name == *."$ending" ]] && COMPREPLY+=("$name")
    done
  done < <(compgen -f -- "$cur")
}
complete -F _waybill waybill
`
}
