import type { Json, JsonObject } from '../../src/document/json.ts'
import { compileProgram } from '../../src/plan/compile-program.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { Plan, PlannedTool, Program } from '../../src/plan/plan.ts'
import type { DrivePorts } from '../../src/run/drive/drive-ports.ts'
import type { RunEvent } from '../../src/run/event.ts'
import type { Clock, ModelAnswer, ModelPort, ModelRequest, ToolPort } from '../../src/run/ports.ts'
import type { ToolCall } from '../../src/run/state.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import { withSecrets } from '../plan/with-secrets.ts'

export const SETTINGS: OperatorSettings = {
  rehearsal: false,
  grants: { hosts: [] },
  key_bindings: {},
  secret_grants: [],
  tools: {},
  budget: {},
  residency: {},
  allow_deprecated: false,
  retry_base_ms: 1,
}

export const ENV = { OPENAI_API_KEY: 'test-openai', ANTHROPIC_API_KEY: 'test-anthropic' }

/** A definition with two tools and two routes; `agent` members given replace its own. */
export function definition(agent: JsonObject = {}, root: JsonObject = {}): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent_id: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c',
    ...root,
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: {
        provider: 'openai',
        preferred: 'gpt-4o',
        fallbacks: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
      },
      tools: [
        { name: 'look', description: 'Looks.', parameters_schema: OBJECT_X },
        { name: 'send', description: 'Sends.', parameters_schema: OBJECT_X },
      ],
      ...agent,
    },
  } as unknown as AgentDefinition
}

const OBJECT_X: JsonObject = {
  type: 'object',
  properties: { x: { type: 'number' } },
  required: ['x'],
  additionalProperties: false,
}

export function planOf(
  agent: JsonObject = {},
  settings: Partial<OperatorSettings> = {},
  root: JsonObject = {},
): Plan {
  return makePlan(
    {
      definition: definition(agent, root),
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      hooks: Object.values((agent.events ?? {}) as Record<string, string>),
      functions: {
        look: { read_only: true, idempotent: false },
        send: { read_only: false, idempotent: false },
        book: { read_only: false, idempotent: true },
      },
    },
    { ...SETTINGS, ...settings },
    { ...withSecrets(...Object.keys(ENV)), priceOf: () => ({ price: { input: 1, output: 2 } }) },
  )
}

export function programOf(
  agent: JsonObject = {},
  settings: Partial<OperatorSettings> = {},
  root: JsonObject = {},
): Program {
  return compileProgram(planOf(agent, settings, root))
}

export function text(value: string): ModelAnswer {
  return {
    message: { role: 'assistant', text: value, calls: [] },
    finish: 'stop',
    usage: { input_tokens: 10, output_tokens: 5 },
    warnings: [],
  }
}

export function calls(...made: (readonly [id: string, tool: string, args: JsonObject])[]): ModelAnswer {
  const list: ToolCall[] = made.map(([id, tool, args]) => ({ id, tool, args }))
  return { ...text(''), message: { role: 'assistant', text: '', calls: list }, finish: 'tool_calls' }
}

/**
 * A model that gives these answers in turn; an Error is thrown, a function is called. Asking for more is a failure.
 */
export function modelOf(
  ...script: (ModelAnswer | Error | ((request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>))[]
): ModelPort & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    async ask(request, { signal }) {
      const next = script[requests.length]
      requests.push(request)
      if (next === undefined) throw new Error(`the script has no answer number ${requests.length}`)
      if (next instanceof Error) throw next
      return typeof next === 'function' ? next(request, signal) : next
    },
  }
}

export function toolsOf(
  functions: Record<string, (args: JsonObject, signal: AbortSignal) => Json | Promise<Json>>,
): ToolPort & { readonly made: { tool: PlannedTool; args: JsonObject; key: string }[] } {
  const made: { tool: PlannedTool; args: JsonObject; key: string }[] = []
  return {
    made,
    async call(request, { signal }) {
      made.push(request)
      const run = functions[request.tool.name]
      if (run === undefined) throw new Error(`no double for ${request.tool.name}`)
      return run(request.args, signal)
    },
  }
}

export interface FakeClock extends Clock {
  now(): number
  readonly slept: number[]
  advance(ms: number): void
  /** When the next alarm rings, or null. */
  nextAlarm(): number | null
}

/** A clock that advances only when the test says so, or when the code sleeps. */
export function fakeClock(start = 1_000_000): FakeClock {
  let time = start
  const slept: number[] = []
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>()
  const ringDue = () => {
    for (const alarm of [...alarms].sort((a, b) => a.at - b.at)) {
      if (alarm.at > time || !alarms.delete(alarm)) continue
      alarm.ring()
    }
  }
  const advance = (ms: number) => {
    time += ms
    ringDue()
  }
  return {
    slept,
    now: () => time,
    advance,
    async sleep(ms) {
      slept.push(ms)
      advance(ms)
    },
    alarm(at, ring) {
      const alarm = { at, ring }
      alarms.add(alarm)
      if (at <= time) setImmediate(ringDue)
      return () => void alarms.delete(alarm)
    },
    nextAlarm: () => (alarms.size === 0 ? null : Math.min(...[...alarms].map(({ at }) => at))),
  }
}

export function portsOf(
  model: ModelPort,
  tools: ToolPort = toolsOf({}),
  more: Partial<DrivePorts> = {},
): DrivePorts & { readonly events: RunEvent[] } {
  const events: RunEvent[] = []
  return {
    model,
    tools,
    clock: fakeClock(),
    sink: { append: (added) => void events.push(...added) },
    events,
    ...more,
  }
}
