import type { Snapshot } from '../../plan/snapshot.ts'
import { EMPTY_LOCK, type LockedOffer, type ToolLock } from '../../plan/tool-lock.ts'
import { comparePins, type PinState } from '../../plan/tool-pins.ts'
import { lockFileOf } from '../../resolve/tool-lock-file.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { setUpRun } from '../run-session/run-setup.ts'
import { usageError } from '../usage-error.ts'

export interface ToolsOptions
  extends Pick<RunOptions, 'allowHost' | 'allowSecret' | 'config' | 'envFile' | 'json'> {
  readonly format?: string
}

/** A tool that a server offers or offered, or a declared tool whose server could not be reached. */
export interface ServerTool {
  readonly declared: string
  readonly name?: string
  readonly state: PinState | 'unreachable'
  readonly reason?: string
  readonly before?: LockedOffer
  readonly after?: LockedOffer
}

export interface ServerTools {
  readonly lockFile: string
  readonly lock: ToolLock
  readonly snapshot: Snapshot
  readonly tools: readonly ServerTool[]
}

/** Lists the tools of the servers of a definition, and compares them with the lock file. */
export async function askServers(file: string, options: ToolsOptions, io: Io): Promise<ServerTools> {
  if (file === '-') {
    throw usageError(
      'the lock file is stored next to the definition, so a definition from standard input cannot be used',
      'give the definition as a file',
    )
  }
  const { snapshot, file: path = file } = await withHome(
    io,
    (home, env) => setUpRun(file, { options, io, home, env }),
    environment(options, io),
  )
  const { definition, discovered, pins } = snapshot
  const lock = pins?.lock ?? EMPTY_LOCK
  const missed = Object.entries(discovered).flatMap(([declared, discovery]): ServerTool[] =>
    discovery.found ? [] : [{ declared, state: 'unreachable', reason: discovery.reason }],
  )
  return {
    lockFile: lockFileOf(path),
    lock,
    snapshot,
    tools: [...comparePins(definition, discovered, lock), ...missed],
  }
}

export function labelOf({ declared, name }: ServerTool): string {
  return name === undefined ? declared : `${declared}/${name}`
}
