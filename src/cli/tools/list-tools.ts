import { defined } from '../../document/defined.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { askServers, labelOf, type ToolsOptions } from './server-tools.ts'

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
  const width = Math.max(0, ...tools.map((tool) => labelOf(tool).length))
  for (const tool of tools) {
    const { description = '' } = tool.after ?? tool.before ?? {}
    const reasonText = tool.reason === undefined ? plainLine(description, 100) : ''
    io.out(`${tool.state.padEnd(11)} ${plainLine(labelOf(tool)).padEnd(width)}  ${reasonText}`.trimEnd())
    // Not cut, because the fix is at the end of the reason.
    io.out(tool.reason === undefined ? '\n' : `\n    ${plainLine(tool.reason, 500)}\n`)
  }
  const names = unreachable.map(({ declared }) => plainLine(declared, 80)).join(', ')
  if (unreachable.length > 0) io.err(`no list of tools from ${names}; the reason is above\n`)
  return exit
}
