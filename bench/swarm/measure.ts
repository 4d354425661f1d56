import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseAgentDefinition, readRun, run } from '../../src/index.ts'
import type { ModelAnswer, ModelPort } from '../../src/run/ports.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'

export interface Family {
  /** `swarm`: the parent starts all workers; `calls`: its model calls one worker again and again. */
  readonly shape: 'swarm' | 'calls'
  readonly workers: number
  /** Latency of a worker's model, in milliseconds. */
  readonly delayMs: number
  /** `runtime.concurrency` of the worker; absent: the maximum of Waybill. */
  readonly concurrency?: number
  readonly onDisk: boolean
}

export interface FamilyCost {
  readonly wall_ms: number
  readonly cpu_ms: number
  /** Growth of the live heap from before the parent's start to its end. */
  readonly heap_kb: number
  /** Size of the parent's own record; 0 without a record. */
  readonly record_kb: number
}

const ANSWER = 'seven'

/** Measures a whole run of the library: finding and planning definitions, running workers, counting answers. */
export async function measureFamily(family: Family): Promise<FamilyCost> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  try {
    // Loads and compiles everything on first use.
    for (let i = 0; i < 20; i++) await runFamily({ ...family, workers: 10, delayMs: 0 }, folder)
    // Runs without delays are short: the fastest of three is least affected by other load.
    const costs: FamilyCost[] = []
    for (let i = family.delayMs > 0 ? 2 : 0; i < 3; i++) costs.push(await runFamily(family, folder))
    const { wall_ms, cpu_ms, record_kb } = costs.reduce((a, b) => (a.wall_ms <= b.wall_ms ? a : b))
    // Measuring the heap takes time, so it is measured in a separate run without delays.
    const { heap_kb } = await runFamily({ ...family, delayMs: 0 }, folder, liveHeap)
    return { wall_ms, cpu_ms, heap_kb, record_kb }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runFamily(family: Family, folder: string, heap: () => number = () => 0): Promise<FamilyCost> {
  const { workers, concurrency, onDisk } = family
  const limit = concurrency === undefined ? {} : { runtime: { concurrency } }
  const agents = join(folder, 'agents')
  mkdirSync(agents, { recursive: true })
  writeFileSync(join(agents, 'worker.json'), definition('worker', limit))
  const parent = parseAgentDefinition(definition('parent', { orchestration: topology(family) }))
  const home = mkdtempSync(join(folder, 'home-'))
  let ended = 0
  let live = 0
  const before = heap()
  const cpu = process.cpuUsage()
  const from = performance.now()
  const result = await run(parent, {
    input: 'What is three and four?',
    folder: agents,
    env: { OPENAI_API_KEY: 'not-a-key' },
    modelPort: modelOf(family),
    ...(onDisk && { home }),
    onEvent: ({ decision }) => {
      // The parent ends last.
      if (decision.end !== undefined && ++ended === workers + 1) live = heap()
    },
  })
  const wall_ms = performance.now() - from
  const used = process.cpuUsage(cpu)
  if (result.output !== ANSWER || result.subagents.length !== workers)
    throw new Error(`it did not end as expected: ${JSON.stringify(result).slice(0, 500)}`)
  return {
    wall_ms,
    cpu_ms: (used.user + used.system) / 1_000,
    heap_kb: (live - before) / 1024,
    record_kb: onDisk ? await recordKb(result.run_id, home) : 0,
  }
}

/** Returns the size of the parent's own events. */
async function recordKb(runId: string, home: string): Promise<number> {
  const { events } = await readRun(runId, { home })
  return events.reduce((sum, event) => sum + Buffer.byteLength(encodeEvent(event)), 0) / 1024
}

function definition(name: string, members: object): string {
  return JSON.stringify({
    sc_standard: 'SC-006',
    agent: { name, goal: `Be the ${name}.`, model: { provider: 'openai', preferred: 'm' }, ...members },
  })
}

function topology({ shape, workers }: Family): object {
  const aliases = shape === 'swarm' ? Array.from({ length: workers }, (_, i) => `w${i}`) : ['worker']
  return {
    subagents: aliases.map((alias) => ({ ref: 'worker', alias })),
    max_iterations: workers + 10,
    ...(shape === 'swarm'
      ? { parallel_execution: true, consensus: { strategy: 'majority_vote' } }
      : { role: 'orchestrator' }),
  }
}

/** The parent's model calls the worker once per worker, one at a time. */
function modelOf({ workers, delayMs }: Family): ModelPort {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const says = (text: string): ModelAnswer => ({
    message: { role: 'assistant', text, calls: [] },
    finish: 'stop',
    usage,
    warnings: [],
  })
  let called = 0
  return {
    async ask({ plan }) {
      if (plan.agent_name === 'worker') {
        if (delayMs > 0) await sleep(delayMs)
        return says(ANSWER)
      }
      if (called === workers) return says(ANSWER)
      const id = `call_${++called}`
      const calls = [{ id, tool: 'ask_worker', args: { task: 'What is three and four?' } }]
      return { message: { role: 'assistant', text: '', calls }, finish: 'tool_calls', usage, warnings: [] }
    },
  }
}

/** Returns the live heap in bytes, after a garbage collection. */
function liveHeap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
