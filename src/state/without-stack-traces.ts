import type { Json } from '../document/json.ts'

/** A line of a stack trace, as engines of JavaScript and Java, Python, Go and .NET write it. */
const FRAME =
  /^\s*(?:at\s+\S.*:\d+\)?|at\s+\S.*\((?:native|<anonymous>|Unknown Source|Native Method)\)|at\s+\S.*\sin\s.*:line \d+|File ".*", line \d+.*|Traceback \(most recent call last\):?|goroutine \d+ \[.*\]:|\S+\.go:\d+(?:\s.*)?|\.\.\. \d+ (?:more|common frames omitted))\s*$/

/** Returns a value whose texts have no lines of stack traces: they disclose how a program was built (AAIF §12). */
export function withoutStackTraces<T>(value: T): T {
  return cleaned(value as Json) as T
}

function cleaned(value: Json): Json {
  if (typeof value === 'string') return withoutFrames(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined || name === 'stack' || name === 'stack_trace' ? [] : [[name, cleaned(member)]],
    ),
  )
}

function withoutFrames(text: string): string {
  if (!text.includes('\n')) return text
  return text
    .split('\n')
    .filter((line) => !FRAME.test(line))
    .join('\n')
    .trimEnd()
}
