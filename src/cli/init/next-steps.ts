import { dirname, join } from 'node:path'
import type { Io } from '../io.ts'
import { painter } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import type { FirstAgent } from './first-definition.ts'

export interface WrittenAgent {
  readonly agent: FirstAgent
  /** The definition as it is written on a command line. */
  readonly file: string
  /** The module with the functions; absent if the agent has no tools. */
  readonly tools?: { readonly name: string; readonly isNew: boolean }
  /** The name of the schema for editors, if it was written. */
  readonly schema?: string
}

/** Returns what was written, and the next commands. Each command has a line of its own, so that it can be pasted. */
export function nextSteps(written: WrittenAgent, io: Io): string {
  const paint = painter(io.color)
  const { agent, file, tools, schema } = written
  const done = (text: string) => `${paint('good', '✓')} ${text}\n`
  const shown = (name: string) => plainLine(join(dirname(file), name))
  const lines = [
    done(`${plainLine(agent.name)} was written to ${plainLine(file)}`),
    ...(tools === undefined
      ? []
      : tools.isNew
        ? [done(`${shown(tools.name)} was written; its functions fail until you write them`)]
        : [`${paint('warn', '!')} ${shown(tools.name)} is already there: add the functions to it\n`]),
    ...(schema === undefined
      ? []
      : [done(`${shown(schema)} was written, so that editors explain and complete ${plainLine(file)}`)]),
    ...commandsOf(written).map(
      ([command, why]) => `  ${paint('accent', 'next')} ${command}\n       ${paint('faint', why)}\n`,
    ),
  ]
  return lines.join('')
}

function commandsOf({ agent, file, tools }: WrittenAgent): readonly (readonly [string, string])[] {
  const definition = quoted(file)
  const module = tools === undefined ? '' : ` --tools ${quoted(join(dirname(file), tools.name))}`
  // A module that was there before may lack the functions, and a rehearsal does not need them.
  const rehearsed = `${definition}${tools?.isNew === true ? module : ''}`
  // Given on the command line, an address needs no other permission.
  const baseUrl = agent.base_url === undefined ? '' : ` --base-url ${quoted(agent.base_url)}`
  const asks = agent.approval === true && tools !== undefined
  return [
    [`waybill validate ${definition}`, 'checks the definition'],
    ...(asks
      ? ([
          [
            `waybill run ${rehearsed} --rehearse --ask "Hello"`,
            'a dry run without a key and without a network; at its question, choose "Decide later"',
          ],
          ...approvalsOf(agent.tools.length),
        ] as const)
      : ([
          [`waybill run ${rehearsed} --rehearse "Hello"`, 'a dry run without a key and without a network'],
        ] as const)),
    [
      `waybill plan ${definition}${module}${baseUrl}`,
      `shows what a real run needs; the run itself is: waybill run ${definition}${module}${baseUrl} "Hello"`,
    ],
  ]
}

/** Returns the commands that approve the calls of a rehearsal: one call of each tool, in the order of the tools. */
function approvalsOf(calls: number): readonly (readonly [string, string])[] {
  if (calls === 1)
    return [['waybill approvals approve last --resume', 'approves the call, and continues the run']]
  return Array.from({ length: calls }, (_, index) => {
    const command = `waybill approvals approve last rehearsal_${index + 1}`
    return index + 1 === calls
      ? [`${command} --resume`, 'approves the last call, and continues the run']
      : [command, 'approves a call']
  })
}

/** Returns a path as a word of a POSIX shell. */
function quoted(path: string): string {
  return /[^\w./:-]/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : path
}
