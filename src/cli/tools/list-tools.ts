import { defined } from '../../document/defined.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import type { Tone } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { askServers, labelOf, type ToolsOptions } from './server-tools.ts'

const TONES: Readonly<Record<string, Tone>> = {
  unreachable: 'bad',
  changed: 'warn',
  moved: 'warn',
  new: 'warn',
  gone: 'warn',
}

/** Prints the tools of the servers (`waybill tools list`). */
export async function listTools(file: string, options: ToolsOptions, io: Io): Promise<ExitCode> {
  const { lockFile, tools } = await askServers(file, options, io)
  const unreachable = tools.filter(({ state }) => state === 'unreachable')
  const exit = unreachable.length === 0 ? EXIT.ok : EXIT.no
  if (wantsJson(options)) {
    const listed = tools.map(({ declared, name, state, reason, before, after }) => ({
      declared,
      ...defined({ name }),
      state,
      ...defined({ reason }),
      ...((after ?? before) !== undefined && { description: (after ?? before)?.description }),
    }))
    io.out(`${jsonText({ lock_file: lockFile, tools: listed })}\n`)
    return exit
  }
  if (tools.length === 0) io.err('the definition uses no tool servers\n')
  else
    io.out(
      table(
        tools,
        [
          { head: 'state', text: ({ state }) => state, tone: ({ state }) => TONES[state] ?? 'plain' },
          { head: 'tool', text: (tool) => plainLine(labelOf(tool)) },
          { head: 'description', text: descriptionOf, drop: 1 },
        ],
        io,
      ),
    )
  // Not cut, because the fix is at the end of the reason.
  for (const tool of tools)
    if (tool.reason !== undefined) io.out(`${plainLine(labelOf(tool))}: ${plainLine(tool.reason, 500)}\n`)
  const names = unreachable.map(({ declared }) => plainLine(declared, 80)).join(', ')
  if (unreachable.length > 0) io.err(`no list of tools from ${names}; the reason is above\n`)
  return exit
}

function descriptionOf({ before, after }: Awaited<ReturnType<typeof askServers>>['tools'][number]): string {
  return plainLine((after ?? before)?.description ?? '', 100)
}
