import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Returns the home folder of Waybill: `$WAYBILL_HOME`, else `~/.waybill`. Call it once, at the entry of a program. */
export function homePath(env: Readonly<Record<string, string | undefined>>): string {
  return env.WAYBILL_HOME || join(homedir(), '.waybill')
}

/** Creates the folder if it is missing, readable only by its owner. */
export function makeHome(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
