import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { AnyCode } from '../document/codes.ts'
import { makeFolder } from '../document/make-folder.ts'

/** Returns the home folder of Waybill: `$WAYBILL_HOME`, else `~/.waybill`. Call it once, at the entry of a program. */
export function homePath(env: Readonly<Record<string, string | undefined>>): string {
  return env.WAYBILL_HOME || join(homedir(), '.waybill')
}

/**
 * Returns the folder of the stamps of all homes (`$XDG_STATE_HOME/waybill/homes`, else below `~/.local/state`), which
 * must not be put back with a home. Undefined: the environment names neither.
 */
export function stampsPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { HOME: home = '', XDG_STATE_HOME: state = '' } = env
  if (isAbsolute(state)) return join(state, 'waybill', 'homes')
  return isAbsolute(home) ? join(home, '.local', 'state', 'waybill', 'homes') : undefined
}

/** Creates the folder if it is missing, readable only by its owner. */
export function makeHome(folder: string): string {
  makeFolder(folder, 0o700)
  return folder
}

/**
 * Returns a warning if other users may change the folder, or null. They could replace keys and grants: the folder
 * protects the files in it. A missing folder is created with mode 0700.
 */
export function openHomeWarning(folder: string): { readonly code: AnyCode; readonly message: string } | null {
  if (process.platform === 'win32') return null
  let mode: number
  try {
    const found = statSync(folder, { throwIfNoEntry: false })
    // Opening the home reports what is not a folder.
    if (found?.isDirectory() !== true) return null
    mode = found.mode & 0o777
  } catch {
    // Opening the home reports why it cannot be read.
    return null
  }
  if ((mode & 0o022) === 0) return null
  return {
    code: 'HOME_EXPOSED',
    message: `other users may change ${folder} (mode ${mode.toString(8)}), and with it grants and keys; correct it with: chmod 700 ${folder}`,
  }
}
