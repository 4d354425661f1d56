import type { RunResult } from '../../src/run/result.ts'
import { startProcess } from '../started-process.ts'
import type { KillWorld } from './kill-world.ts'

export interface Ended {
  readonly code: number | null
  readonly killed: boolean
  readonly out: string
  readonly err: string
}

/** Functions with effects that survive a kill. */
export function toolsModule(url: string): string {
  return `
    const call = (path) => async ({ n }, { idempotencyKey }) => {
      const response = await fetch('${url}/' + path, { method: 'POST', body: JSON.stringify({ n, key: idempotencyKey }) })
      return response.json()
    }
    const read = call('read')
    read.readOnly = true
    export const tools = { write: call('write'), read }
  `
}

/**
 * When to kill: this time after the first request of the process, so that the speed of the machine does not matter.
 */
interface Kill {
  readonly world: KillWorld
  readonly afterMs: number
}

export function killIn(world: KillWorld, random: () => number): Kill {
  // One in ten is killed before or while it starts.
  return { world, afterMs: random() < 0.1 ? -1 : random() * 400 }
}

/** Runs the command in its own process, which may be killed. */
export async function waybill(args: readonly string[], home: string, kill: Kill | null): Promise<Ended> {
  const started = startProcess(args, { env: { ...process.env, WAYBILL_HOME: home, CI: '1' } })
  let timer: NodeJS.Timeout | undefined
  const die = (ms: number) => {
    timer = setTimeout(() => started.child.kill('SIGKILL'), ms)
  }
  if (kill !== null && kill.afterMs < 0) die(250)
  else if (kill !== null) void kill.world.arrivals.next().then(() => die(kill.afterMs))
  const ended = await started.ended
  clearTimeout(timer)
  const code = typeof ended === 'number' ? ended : null
  return { code, killed: ended === 'SIGKILL', out: started.out(), err: started.err() }
}

/** The output of `--json`; null if it was killed before. */
export function resultOf(ended: Ended): RunResult | null {
  try {
    return JSON.parse(ended.out) as RunResult
  } catch {
    return null
  }
}
