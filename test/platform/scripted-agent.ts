import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../src/document/defined.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { planHash } from '../../src/plan/plan-hash.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import type { NewRun } from '../../src/run/record/records.ts'
import { runHeader } from '../../src/run/record/run-header.ts'
import { withSecrets } from '../plan/with-secrets.ts'
import { definition, ENV, SETTINGS } from '../run/fixture.ts'

/** One call of the test agent: of a tool, or of its sub-agent with a script of its own. */
export type ScriptStep = 'send' | 'book' | 'look' | readonly ScriptStep[]

/** The input of a run of the test agent. */
export interface Script {
  /** How often it calls `send`, one call after another. */
  readonly pays: number
  /** Calls after these. */
  readonly steps?: readonly ScriptStep[]
  /** Kills its own worker when the model is asked for the call of this number. */
  readonly kills?: number
  /** Names its calls in the log. */
  readonly name?: string
  /** The first execution of the call of this number kills its own worker, after its effect. */
  readonly killsIn?: number
  /** How long its calls take, in milliseconds. */
  readonly ms?: number
}

/** Of a sub-agent, without tools of its own sub-agents. */
const CHILD_HASH = 'c'.repeat(64)

/** A model that follows the script in its input, without memory of its own. */
export function scriptedModel({ modelMs = 0 }: { readonly modelMs?: number } = {}): ModelPort {
  return {
    async ask({ messages }, { signal }) {
      await sleep(modelMs, undefined, { signal })
      const input = messages.find(({ role }) => role === 'user')
      const script = scriptIn(input?.role === 'user' ? input.text : '')
      const steps = stepsOf(script)
      const made = messages.filter(({ role }) => role === 'tool').length
      if (script.kills === made + 1) process.kill(process.pid, 'SIGKILL')
      const step = steps[made]
      const calls = step === undefined ? [] : [callOf(script, step, made + 1)]
      return {
        message: { role: 'assistant', text: calls.length === 0 ? `paid ${made}` : '', calls },
        finish: calls.length === 0 ? 'stop' : 'tool_calls',
        usage: { input_tokens: 10, output_tokens: 5 },
        warnings: [],
      }
    },
  }
}

export function stepsOf({ pays, steps = [] }: Script): readonly ScriptStep[] {
  return [...Array.from({ length: pays }, () => 'send' as const), ...steps]
}

/** A sub-agent gets its script as the last line of its input. */
function scriptIn(text: string): Script {
  const begin = text.indexOf('{"pays"')
  if (begin < 0) return { pays: 0 }
  return JSON.parse(text.slice(begin, text.lastIndexOf('}') + 1)) as Script
}

function callOf({ name, killsIn, ms }: Script, step: ScriptStep, n: number) {
  const id = `c${n}`
  if (typeof step !== 'string') {
    const task: Script = { pays: 0, name: `${name}.${n}`, steps: step }
    return { id, tool: 'ask_helper', args: { task: JSON.stringify(task) } }
  }
  return { id, tool: step, args: { n, ...defined({ name, ms, ...(killsIn === n && { kill: true }) }) } }
}

const TOOLS = ['send', 'book', 'look'].map((name) => ({
  name,
  description: 'Pays, books or looks.',
  parameters_schema: { type: 'object' },
}))

function planOf(agent: JsonObject, hash: string, child?: Plan): Plan {
  const subagents = [{ ref: 'helper', alias: 'helper' }]
  return makePlan(
    {
      definition: definition({
        tools: TOOLS,
        orchestration: {
          max_iterations: 100,
          ...(child !== undefined && { role: 'orchestrator', subagents }),
        },
        ...agent,
      }),
      definition_hash: hash,
      context: [],
      subagents:
        child === undefined
          ? []
          : [
              {
                ref: 'helper',
                index: 0,
                found: { definition_hash: child.definition_hash, name: 'Helper', purpose: 'Works.' },
              },
            ],
      discovered: {},
      functions: {
        look: { read_only: true, idempotent: false },
        send: { read_only: false, idempotent: false },
        book: { read_only: false, idempotent: true },
      },
    },
    SETTINGS,
    {
      ...withSecrets(...Object.keys(ENV)),
      priceOf: () => ({ price: { input: 1, output: 2 } }),
      canAudit: true,
    },
  )
}

/** Returns a run of the test agent, whose sub-agent has the same compliance rules. */
export function scriptedRun(run_id: string, script: Script, agent: JsonObject = {}): NewRun {
  const helps = stepsOf(script).some((step) => typeof step !== 'string')
  const { compliance } = agent
  const child = helps
    ? planOf({ name: 'Helper', ...defined({ compliance }) } as JsonObject, CHILD_HASH)
    : undefined
  const plan = planOf(agent, 'a'.repeat(64), child)
  return {
    header: runHeader({ plan, hash: planHash(plan) }, run_id),
    plan,
    family: child === undefined ? [] : [child],
    first: { type: 'run.started', input: JSON.stringify(script) },
  }
}
