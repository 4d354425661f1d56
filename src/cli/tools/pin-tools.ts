import { WaybillError } from '../../document/issue.ts'
import { acceptTools } from '../../plan/tool-pins.ts'
import { troubleOf, writeToolLock } from '../../resolve/tool-lock-file.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { askServers, labelOf, type ServerTool, type ToolsOptions } from './server-tools.ts'

/**
 * Writes the current tools of the servers to the lock file, so that models may see them (`waybill tools pin`).
 * @param names only these tools; all tools if empty
 * @throws TOOL_UNKNOWN, TOOL_LOCK_UNWRITABLE
 */
export async function pinTools(
  file: string,
  names: readonly string[],
  options: ToolsOptions,
  io: Io,
): Promise<ExitCode> {
  const { lockFile, lock, snapshot, tools } = await askServers(file, options, io)
  const unknown = names.find((name) => !tools.some((tool) => isNamed(tool, name)))
  if (unknown !== undefined) {
    throw new WaybillError('TOOL_UNKNOWN', {
      fault: 'usage',
      message: `no server of ${file} offers a tool named ${unknown}`,
      hint: '`waybill tools list` shows the names',
    })
  }
  const wanted = tools.filter((tool) => names.length === 0 || names.some((name) => isNamed(tool, name)))
  const accepted = wanted.filter(({ state }) => state !== 'pinned' && state !== 'unreachable')
  const missed = wanted.filter(({ state }) => state === 'unreachable')
  if (accepted.length > 0) {
    const isAccepted = ({ declared, name }: ServerTool) =>
      accepted.some((tool) => tool.declared === declared && tool.name === name)
    const { definition, discovered } = snapshot
    try {
      writeToolLock(lockFile, acceptTools(definition, discovered, lock, isAccepted))
    } catch (cause) {
      throw new WaybillError('TOOL_LOCK_UNWRITABLE', {
        fault: 'failed',
        file: lockFile,
        message: troubleOf(lockFile, cause),
        hint: 'make the folder writable, or move the definition to a writable folder',
        cause,
      })
    }
  }
  if (wantsJson(options)) {
    const ok = missed.length === 0
    const pinned = listed(accepted.filter(({ state }) => state !== 'gone'))
    const removed = listed(accepted.filter(({ state }) => state === 'gone'))
    io.out(`${jsonText({ ok, lock_file: lockFile, pinned, removed, unreachable: missed })}\n`)
  } else {
    for (const tool of accepted) {
      const label = plainLine(labelOf(tool))
      io.err(
        tool.state === 'gone'
          ? `removed ${label} (no longer offered)\n`
          : `pinned ${label} (was ${tool.state})\n`,
      )
    }
    for (const tool of missed)
      io.err(`not pinned ${plainLine(labelOf(tool))}: ${plainLine(tool.reason ?? '', 300)}\n`)
    if (accepted.length === 0 && missed.length === 0) io.err('all tools were already pinned\n')
  }
  return missed.length === 0 ? EXIT.ok : EXIT.no
}

function listed(tools: readonly ServerTool[]) {
  return tools.map(({ declared, name, state }) => ({ declared, name, state }))
}

function isNamed(tool: ServerTool, name: string): boolean {
  return tool.declared === name || tool.name === name || labelOf(tool) === name
}
