import { type ErrorObject, WaybillError } from '../document/issue.ts'
import { EXIT, type ExitCode, type Io } from './io.ts'

/** Prints an error where it belongs, for people or as the one JSON value, and gives the exit code. */
export function reportError(error: unknown, io: Io, json: boolean): ExitCode {
  const known = error instanceof WaybillError
  const object: ErrorObject = known
    ? error.toJSON()
    : {
        code: 'INTERNAL',
        message: error instanceof Error ? error.message : String(error),
        hint: 'this is a fault of Waybill; please report it with the command that you used',
      }
  if (json) io.out(`${JSON.stringify({ error: object })}\n`)
  else io.err(errorText(object, io.color))
  if (!known && (io.env.WAYBILL_DEBUG ?? '') !== '' && error instanceof Error) io.err(`${error.stack}\n`)
  return known ? exitOf(error) : EXIT.failed
}

/** An error as people read it: what, where, why, and the way out. */
export function errorText(error: ErrorObject, color: boolean): string {
  const paint = (code: string, text: string) => (color ? `\x1b[${code}m${text}\x1b[0m` : text)
  const place = [error.file, error.line, error.column].filter((part) => part !== undefined).join(':')
  const at = error.pointer !== undefined && error.pointer !== '' ? ` (at ${error.pointer})` : ''
  const lines = [
    `${paint('1;31', 'error')} ${paint('2', error.code)} ${place === '' ? '' : `${place}: `}${error.message}${at}`,
    ...(error.hint === undefined ? [] : [`  ${paint('36', 'hint')} ${error.hint}`]),
    ...(error.rule === undefined ? [] : [`  ${paint('2', `rule ${error.rule}`)}`]),
  ]
  return `${lines.join('\n')}\n`
}

function exitOf(error: WaybillError): ExitCode {
  switch (error.fault) {
    case 'refused':
      return EXIT.no
    case 'usage':
      return EXIT.usage
    case 'failed':
      return EXIT.failed
  }
}
