import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { planHash } from '../../src/plan/plan-hash.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import type { NewRun } from '../../src/run/record/records.ts'
import { runHeader } from '../../src/run/record/run-header.ts'
import { planOf } from '../../test/run/fixture.ts'

/** Signs the entries of the audit log. */
export const auditKey = generateKeyPairSync('ed25519').privateKey

/** The input of a run: what its scripted model and its tool do. */
export interface Script {
  /** How often the model calls the tool, one call after another. */
  readonly calls: number
  /** Latency of the model, in milliseconds; default 0: it answers at once. */
  readonly modelMs?: number
  /** Size of each text of the model and of each result, in characters; default: a few. */
  readonly size?: number
}

const plan = planOf({
  name: 'Bench',
  tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
  orchestration: { max_iterations: 100_000 },
})
const hash = planHash(plan)

/** Returns a run of the agent of the benchmark. */
export function scriptedRun(run_id: string, script: Script): NewRun {
  return {
    header: runHeader({ plan, hash }, run_id),
    plan,
    family: [],
    first: { type: 'run.started', input: JSON.stringify(script) },
  }
}

/** What a worker process has done. */
export interface Work {
  /** Calls of the tool that were answered. */
  readonly iterations: number
  /** When the model was first and last asked: milliseconds since the epoch; 0 if it was not. */
  readonly firstAt: number
  readonly lastAt: number
  /** Bytes of texts, arguments and results that the model and the tool have produced. */
  readonly contentBytes: number
}

/** The model and the tool of a worker process, which count their work. */
export class Scripted {
  #work: Work = NO_WORK

  /** Returns the work since the last call. */
  take(): Work {
    const work = this.#work
    this.#work = NO_WORK
    return work
  }

  readonly model: ModelPort = {
    ask: async ({ messages }) => {
      const first = messages.find(({ role }) => role === 'user')
      const {
        calls,
        modelMs = 0,
        size = 4,
      } = JSON.parse(first?.role === 'user' ? first.text : '{}') as Script
      const done = messages.reduce((sum, { role }) => sum + (role === 'tool' ? 1 : 0), 0)
      const now = Date.now()
      this.#add({ firstAt: this.#work.firstAt || now, lastAt: now })
      if (modelMs > 0) await sleep(modelMs)
      const text = words(size)
      const args = { n: done + 1, size }
      const isLast = done >= calls
      this.#count(text, isLast ? '' : JSON.stringify(args))
      return {
        message: {
          role: 'assistant',
          text,
          calls: isLast ? [] : [{ id: `c${done + 1}`, tool: 'send', args }],
        },
        finish: isLast ? 'stop' : 'tool_calls',
        usage: { input_tokens: 10, output_tokens: 5 },
        warnings: [],
      }
    },
  }

  async send(args: unknown): Promise<string> {
    const text = words((args as { readonly size: number }).size)
    this.#count(text)
    this.#add({ iterations: this.#work.iterations + 1 })
    return text
  }

  #count(...texts: readonly string[]): void {
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    this.#add({ contentBytes: this.#work.contentBytes + bytes })
  }

  #add(members: Partial<Work>): void {
    this.#work = { ...this.#work, ...members }
  }
}

const NO_WORK: Work = { iterations: 0, firstAt: 0, lastAt: 0, contentBytes: 0 }

const LETTERS = 'etaoinshrdlucmfw'

/** Returns words of random letters, which compress no better than language. @param size in characters */
function words(size: number): string {
  let text = ''
  while (text.length < size) {
    const length = 2 + Math.floor(Math.random() * 8)
    for (let i = 0; i < length; i++) text += LETTERS[Math.floor(Math.random() * LETTERS.length)]
    text += ' '
  }
  return text.slice(0, size)
}
