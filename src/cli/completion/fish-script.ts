import type { CompletionWords } from './completion-words.ts'
import { LISTED_KINDS } from './word-kinds.ts'

/** Returns the completions for fish, which shows descriptions. */
export function fishScript(words: readonly CompletionWords[]): string {
  const lines = words.flatMap(({ path, commands, options, choices }) => {
    const here = `__waybill_in ${quote(path)}`
    return [
      ...commands.map(
        ({ name, summary }) =>
          `complete -c waybill -f -n ${quote(here)} -a ${quote(name)} -d ${quote(summary)}`,
      ),
      ...choices.map((choice) => `complete -c waybill -f -n ${quote(here)} -a ${quote(choice)}`),
      ...options.map(({ flag, summary, values, kind }) => {
        const takes = kind === undefined ? '' : ` ${candidatesAfter(kind, values)}`
        return `complete -c waybill -n ${quote(here)} -l ${flag.slice(2)}${takes} -d ${quote(summary)}`
      }),
    ]
  })
  const cases = words.map(({ path, options, kinds, variadic }) => {
    const takes = options.filter(({ kind }) => kind !== undefined).map(({ flag }) => flag)
    const set = Object.entries({ takes, kinds })
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => `set ${name} ${list.join(' ')}`)
    return `    case ${quote(path)}\n      ${[...set, `set more ${variadic ? 1 : 0}`].join('; ')}`
  })
  const paths = words.filter(({ path }) => path !== '').map(({ path }) => quote(path))
  return `set -g __waybill_paths ${paths.join(' ')}
# Prints the command before the cursor, and the number of its words.
function __waybill_command
  set -l tokens (commandline -opc)
  set -l command ''
  set -l at 1
  for i in (seq 2 (count $tokens))
    set -l candidate (string trim -- "$command $tokens[$i]")
    if contains -- $candidate $__waybill_paths
      set command $candidate
      set at $i
    end
  end
  echo $command
  echo $at
end
function __waybill_in
  set -l found (__waybill_command)
  test "$found[1]" = "$argv[1]"
end
# Prints what the argument at the cursor names.
function __waybill_kind
  set -l tokens (commandline -opc)
  set -l found (__waybill_command)
  set -l takes
  set -l kinds
  set -l more 0
  switch "$found[1]"
${cases.join('\n')}
  end
  set -l place 1
  set -l value 0
  for token in $tokens[(math $found[2] + 1)..-1]
    if test $value = 1
      set value 0
    else if contains -- $token $takes
      set value 1
    else if not string match -q -- '-*' $token
      set place (math $place + 1)
    end
  end
  if test $value = 1 -o (count $kinds) = 0
    return
  else if test $place -le (count $kinds)
    echo $kinds[$place]
  else if test $more = 1
    echo $kinds[-1]
  else
    echo none
  end
end
function __waybill_is
  contains -- (__waybill_kind) $argv
end
function __waybill_list
  set -l tokens (commandline -opc)
  command $tokens[1] __complete $argv[1] (commandline -ct) $tokens[2..-1] 2>/dev/null
end
function __waybill_definitions
  for path in (__fish_complete_path (commandline -ct))
    string match -r '^[^\\t]*(?:/|\\.ya?ml|\\.json)(?=\\t|$)' -- $path
  end
end
complete -c waybill -f -n '__waybill_is none'
complete -c waybill -f -k -n '__waybill_is ${LISTED_KINDS.join(' ')}' -a '(__waybill_list (__waybill_kind))'
complete -c waybill -F -n '__waybill_is files'
complete -c waybill -F -n '__waybill_is resumable; and not __waybill_list resumable | string length -q'
complete -c waybill -f -n '__waybill_is definitions' -a '(__waybill_definitions)'
${lines.join('\n')}
`
}

function candidatesAfter(kind: string, values: readonly string[] | undefined): string {
  if (values !== undefined) return `-x -a ${quote(values.join(' '))}`
  switch (kind) {
    case 'files':
      return '-r -F'
    case 'none':
      return '-x'
    case 'definitions':
      return "-x -a '(__waybill_definitions)'"
    default:
      return `-x -k -a '(__waybill_list ${kind})'`
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
