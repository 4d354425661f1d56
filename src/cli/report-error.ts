import { type ErrorObject, WaybillError } from '../document/issue.ts'
import { asJson } from '../document/json.ts'
import { machineFault } from '../document/machine-fault.ts'
import { messageOf } from '../document/message-of.ts'
import { EXIT, type ExitCode, type Io } from './io.ts'
import { painter } from './terminal/paint.ts'
import { jsonText, plainLine } from './terminal/plain-text.ts'

/** Prints an error as text on standard error, or as JSON on standard output. Returns the exit code. */
export async function reportError(error: unknown, io: Io, json: boolean): Promise<ExitCode> {
  const known = error instanceof WaybillError ? error : machineFault(error)
  const object: ErrorObject =
    known !== null
      ? known.toJSON()
      : {
          code: 'INTERNAL',
          message: messageOf(error),
          hint: 'this is a bug in Waybill; please report it with the command that you used',
        }
  const { environmentRedactor } = await import('./environment-redactor.ts')
  const redactor = environmentRedactor(io)
  const clean = redactor.json(asJson(object)) as unknown as ErrorObject
  if (json) io.out(`${jsonText({ error: clean })}\n`)
  else io.err(errorText(clean, io.color))
  if (known === null && (io.env.WAYBILL_DEBUG ?? '') !== '' && error instanceof Error)
    io.err(`${redactor.text(error.stack ?? '')}\n`)
  return known === null ? EXIT.failed : exitOf(known)
}

/** Returns an error as text: place, message, hint and rule. */
export function errorText(error: ErrorObject, color: boolean): string {
  const paint = painter(color)
  const place = [error.file, error.line, error.column].filter((part) => part !== undefined).join(':')
  const at = error.pointer !== undefined && error.pointer !== '' ? ` (at ${error.pointer})` : ''
  const what = plainLine(`${place === '' ? '' : `${place}: `}${error.message}${at}`, 2000)
  const lines = [
    `${paint('bad', paint('strong', 'error'))} ${paint('faint', error.code)} ${what}`,
    ...partLines(error),
    ...changeLines(error.changes ?? []),
    ...(error.hint === undefined ? [] : [`  ${paint('accent', 'hint')} ${plainLine(error.hint, 1000)}`]),
    ...(error.rule === undefined ? [] : [`  ${paint('faint', `rule ${error.rule}`)}`]),
  ]
  return `${lines.join('\n')}\n`
}

const MOST_PARTS = 20

/** Returns each cause with its place, if there are several. */
function partLines({ details = [], file }: ErrorObject): readonly string[] {
  if (details.length < 2) return []
  const lines = details.slice(0, MOST_PARTS).map(({ code, message, line, column, pointer }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':')
    return `  ${plainLine(`${place} ${code} ${message} (at ${pointer ?? ''})`.trim(), 400)}`
  })
  const rest = details.length - MOST_PARTS
  return rest > 0 ? [...lines, `  … and ${rest} more; --json lists all`] : lines
}

const MOST_CHANGES = 50

/** Returns each difference with its lines, if it compares a text of several lines. */
function changeLines(changes: readonly string[]): readonly string[] {
  const shown = changes.slice(0, MOST_CHANGES).flatMap((change) => {
    const [first = '', ...more] = change.split('\n')
    return [`  ${plainLine(first, 400)}`, ...more.map((line) => `      ${plainLine(line, 400)}`)]
  })
  const rest = changes.length - MOST_CHANGES
  return rest > 0 ? [...shown, `  … and ${rest} more; --json lists all`] : shown
}

export function exitOf(error: WaybillError): ExitCode {
  // Ctrl-C at a prompt before the start of a run.
  if (error.code === 'INTERRUPTED') return EXIT.interrupted
  switch (error.fault) {
    case 'refused':
      return EXIT.no
    case 'usage':
      return EXIT.usage
    case 'failed':
      return EXIT.failed
  }
}
