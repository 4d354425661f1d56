import type { Json } from '../../src/document/issue.ts'
import { createRedactor } from '../../src/document/redact.ts'
import { compileProgram } from '../../src/plan/compile-program.ts'
import type { Plan, Program } from '../../src/plan/plan.ts'
import { planRun } from '../../src/plan/plan-run.ts'
import { type DriveOptions, drive } from '../../src/run/drive/drive.ts'
import { createPiiHandler } from '../../src/run/drive/pii-handler.ts'
import { PiiValues } from '../../src/run/drive/pii-values.ts'
import type { Fact } from '../../src/run/event.ts'
import type { ModelAnswer, ModelPort, ToolPort } from '../../src/run/ports.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'
import type { EventSink } from '../../src/run/record-port.ts'
import { resultOf } from '../../src/run/result.ts'
import { initialState } from '../../src/run/state.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import type { Subject } from './subject.ts'
import { increment, modelStep, TOOL } from './workload.ts'

function definition(members: Variant['agent']): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent_id: '6f1d2a34-5b6c-4d7e-8f90-a1b2c3d4e5f6',
    agent: {
      name: 'Bench',
      goal: 'Count.',
      model: { provider: 'openai', preferred: 'instant' },
      tools: [{ name: TOOL.name, description: TOOL.description, parameters_schema: TOOL.parameters }],
      orchestration: { max_iterations: 1_000 },
      ...members,
    },
  } as unknown as AgentDefinition
}

let runs = 0

export interface Variant {
  readonly name: string
  /** Of the tool: a write's intent is forced to disk before it leaves. */
  readonly readOnly: boolean
  readonly open: (program: Program, runId: string) => Record
  /** More members of the agent; without any, personal data is looked for, and nothing is forbidden. */
  readonly agent?: { readonly constraints?: readonly string[]; readonly compliance?: object }
}

/** Where the events of a run go. */
interface Record {
  readonly sink: EventSink
  /** Told of each event once it is on record. */
  readonly onEvent?: DriveOptions['onEvent']
  /** Called after the run, which must have left this many events at the least. */
  close(events: number): void
}

/** The whole run core: arguments checked, every fact redacted, and searched for personal data unless told otherwise. */
export function waybillSubject({ name, readOnly, open, agent = {} }: Variant): Subject {
  return {
    name,
    async prepare(tools, delayMs) {
      const program = compileProgram(planOf(readOnly, agent))
      const redactor = createRedactor(new Map([['OPENAI_API_KEY', 'a-key-of-usual-length-0123456789']]))
      const ports = {
        model: model(tools, delayMs),
        tools: functions,
        clock: { now: Date.now, sleep: () => Promise.resolve() },
        redact: (fact: Fact) => redactor.json(fact as unknown as Json) as unknown as Fact,
        pii: createPiiHandler(new PiiValues({ type: 'file' }), undefined),
      }
      return async () => {
        const runId = `run-${process.pid}-${++runs}`
        const record = open(program, runId)
        const state = await drive(
          program,
          initialState(runId, program.plan.agent_id, program.hash),
          { type: 'run.started', input: 'go' },
          { ...ports, sink: record.sink },
          record.onEvent === undefined ? {} : { onEvent: record.onEvent },
        )
        const result = resultOf(program.plan, state)
        // The start, and an intent and an answer for every question and call, at the least.
        record.close(2 * tools + 2)
        return String(result.output ?? result.error?.message)
      }
    },
  }
}

/** Every event is written out as its line. The lines stay in memory, because none of the peers records anything. */
export function linesInMemory(): Record {
  const lines: string[] = []
  return {
    sink: { append: (events) => void lines.push(...events.map(encodeEvent)) },
    close: (events) => {
      if (lines.length < events) throw new Error(`only ${lines.length} events were recorded`)
    },
  }
}

export const subject: Subject = waybillSubject({ name: 'Waybill', readOnly: true, open: linesInMemory })

function planOf(readOnly: boolean, agent: Variant['agent']): Plan {
  return planRun(
    {
      definition: definition(agent),
      definition_hash: '0'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      functions: { [TOOL.name]: { read_only: readOnly, idempotent: false } },
    },
    {
      rehearsal: false,
      grants: { hosts: [] },
      key_bindings: {},
      secret_grants: [],
      tools: {},
      budget: {},
      residency: {},
      allow_deprecated: false,
      retry_base_ms: 1,
    },
    { env: { OPENAI_API_KEY: 'not-a-key' }, priceOf: () => ({ price: { input: 1, output: 2 } }) },
  )
}

function model(tools: number, delayMs: number): ModelPort {
  const usage = { input_tokens: 10, output_tokens: 5 }
  return {
    async ask({ messages }): Promise<ModelAnswer> {
      const results = messages.filter((message) => message.role === 'tool').length
      const step = await modelStep(results, tools, delayMs)
      if ('text' in step) {
        return {
          message: { role: 'assistant', text: step.text, calls: [] },
          finish: 'stop',
          usage,
          warnings: [],
        }
      }
      const { id, args } = step.call
      const message = { role: 'assistant' as const, text: '', calls: [{ id, tool: TOOL.name, args }] }
      return { message, finish: 'tool_calls', usage, warnings: [] }
    },
  }
}

const functions: ToolPort = {
  call: ({ args }) => increment(args as { x: number }),
}
