import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of Linux are 10 ms on every architecture that Node supports. */
const TICK_MS = 10

/**
 * Returns the processor time of processes, in milliseconds: user and system, with that of threads. Linux only.
 * @param server the main process of PostgreSQL, whose children are included; absent: none
 */
export function cpuMs(pids: readonly number[], server?: number): number {
  const own = pids.reduce((sum, pid) => sum + timesOf(pid).own, 0)
  if (server === undefined) return own
  const children = childrenOf(server).reduce((sum, pid) => sum + timesOf(pid).own, 0)
  const { own: main, ended } = timesOf(server)
  return own + main + ended + children
}

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(fieldsOf(pid)?.[1]) === parent)
}

/** `ended`: of children that have ended and were waited for. */
function timesOf(pid: number): { readonly own: number; readonly ended: number } {
  const fields = fieldsOf(pid) ?? []
  const ticks = (n: number) => Number(fields[n] ?? 0) * TICK_MS
  return { own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) }
}

/** Returns the fields of `/proc/PID/stat` after the name, which may contain spaces: the first is the state. */
function fieldsOf(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has ended since it was listed.
    return null
  }
}
