import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Waybill's own folder: `$WAYBILL_HOME`, else `~/.waybill`. */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env.WAYBILL_HOME || join(homedir(), '.waybill')
}

/** Makes the folder when it is missing, for its owner's eyes only. */
export function makeHome(env: Readonly<Record<string, string | undefined>>): string {
  const home = homeOf(env)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  return home
}

/** What agents remember beyond their runs. */
export function memoryFile(env: Readonly<Record<string, string | undefined>>): string {
  return join(homeOf(env), 'memory.sqlite')
}

/** Where runs of agents with a limit on how many may run at a time find one another. */
export function slotsFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(homeOf(env), 'slots')
}

/** Keys that Waybill makes itself: one for each run whose record names personal data by placeholders. */
export function piiKeysFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(homeOf(env), 'keys', 'pii')
}

export function runsFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(homeOf(env), 'runs')
}

/** A folder of an extension's own, made for its owner's eyes only. */
export function extensionFolder(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const folder = join(homeOf(env), 'extensions', name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
