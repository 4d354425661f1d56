import { readFileSync, writeFileSync } from 'node:fs'

/** Forgets the highest resident size of a process so far (Linux). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Returns the resident size of a process and the highest since {@link forgetPeak}, in MB (Linux). */
export function residentMb(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { now: of('VmRSS'), peak: of('VmHWM') }
}
