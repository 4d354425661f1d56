import type { CompletionWords } from './completion-words.ts'
import { quoteWord } from './quote-word.ts'

/** Returns the function for zsh. It shows the descriptions of commands, options, runs and keys. */
export function zshScript(words: readonly CompletionWords[]): string {
  const cases = words.map(({ path, commands, options, choices, kinds, variadic }) => {
    const flags = options.map(({ flag, summary }) => described(flag, summary))
    const takes = options.filter(({ kind }) => kind !== undefined).map(({ flag }) => flag)
    const plain = [...commands.map(({ name, summary }) => described(name, summary)), ...choices]
    const set = Object.entries({ names: plain, flags, takes, kinds })
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => `${name}=(${list.map(quoteWord).join(' ')})`)
    return `    ${quoteWord(path)}) ${[...set, ...(variadic ? ['more=1'] : [])].join('; ')} ;;`
  })
  const values = words.flatMap(({ path, options }) =>
    options.flatMap(({ flag, values: known, kind }) => {
      if (kind === undefined) return []
      const set = known === undefined ? `kind=${kind}` : `vals=(${known.map(quoteWord).join(' ')})`
      return [`    ${quoteWord(`${path} ${flag}`)}) ${set} ;;`]
    }),
  )
  const paths = words.filter(({ path }) => path !== '').map(({ path }) => quoteWord(path))
  return `#compdef waybill
_waybill() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} cmd='' candidate='' kind='' more='' value='' text=''
  local -i i at=1 place=1
  local -a names flags takes kinds vals found
  for ((i = 2; i < CURRENT; i++)); do
    candidate=\${cmd:+$cmd }\${words[i]}
    case $candidate in (${paths.join(' | ')}) cmd=$candidate; at=$i ;; esac
  done
  case $cmd in
${cases.join('\n')}
  esac
  case "$cmd $prev" in
${values.join('\n')}
  esac
  if ((\${#vals})); then
    _describe value vals
    return
  fi
  if [[ -z $kind ]]; then
    if [[ $cur == -* ]]; then
      _describe option flags
      return
    fi
    if ((\${#names})); then
      _describe command names
      return
    fi
    for ((i = at + 1; i < CURRENT; i++)); do
      if [[ \${words[i]} != -* ]]; then
        place+=1
      elif ((\${takes[(Ie)\${words[i]}]})); then
        i+=1
      fi
    done
    if ((place <= \${#kinds})); then
      kind=\${kinds[place]}
    elif [[ -n $more ]]; then
      kind=\${kinds[-1]}
    else
      kind=none
    fi
  fi
  case $kind in
    none) _message 'no more arguments' ;;
    files) _files ;;
    definitions) _files -g '*.(yaml|yml|json)(-.)' ;;
    *)
      while IFS=$'\\t' read -r value text; do
        [[ -n $value ]] && found+=("\${value//:/\\\\:}\${text:+:$text}")
      done < <("\${(Q)words[1]}" __complete "$kind" "\${(Q)cur}" "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)
      if [[ $kind == resumable && \${#found} == 0 ]]; then
        _files
      elif [[ $kind == models && \${#found} == 1 && \${found[1]} == */* && \${found[1]%%:*} == */ ]]; then
        _describe -V $kind found -S ''
      else
        _describe -V $kind found
      fi
      ;;
  esac
}
compdef _waybill waybill
`
}

function described(word: string, summary: string): string {
  return `${word.replaceAll(':', '\\:')}:${summary}`
}
