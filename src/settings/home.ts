import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Waybill's own folder: `$WAYBILL_HOME`, else `~/.waybill`. Read once, at the entry of a program. */
export function homePath(env: Readonly<Record<string, string | undefined>>): string {
  return env.WAYBILL_HOME || join(homedir(), '.waybill')
}

/** Makes the folder when it is missing, for its owner's eyes only. */
export function makeHome(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
