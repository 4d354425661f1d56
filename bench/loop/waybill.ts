import { type Agent, openAgent, type PlanOptions, parseAgentDefinition, run } from '../../src/index.ts'
import type { ModelAnswer, ModelPort } from '../../src/run/ports.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import type { Subject } from './subject.ts'
import { increment, modelStep, TOOL } from './workload.ts'

export interface Variant {
  readonly name: string
  /** True if the tool only reads. The intent to call a tool that writes is flushed to disk before the call. */
  readonly readOnly?: boolean
  /** Additional members of the agent. The default detects personal data and has no constraints. */
  readonly agent?: { readonly constraints?: readonly string[]; readonly compliance?: object }
  /** Additional options of the agent, which is opened once for each `prepare`. */
  readonly options?: () => PlanOptions | Promise<PlanOptions>
}

export const ENV = { OPENAI_API_KEY: 'a-key-of-usual-length-0123456789' }

/** Opens the agent once, as an application does, and then calls `run` on it. */
export function waybillSubject({
  name,
  readOnly = true,
  agent = {},
  options = () => ({}),
}: Variant): Subject {
  return {
    name,
    async prepare(tools, delayMs) {
      const given = { ...planOptions(readOnly, tools, delayMs), ...(await options()) }
      return runsOf(await openAgent(definition(agent), given))
    },
  }
}

/** Reads, validates and plans the agent again for each run. */
export const oneShot: Subject = {
  name: 'Waybill, run()',
  async prepare(tools, delayMs) {
    const agent = definition({})
    const options = { ...planOptions(true, tools, delayMs), input: 'go' }
    return async () => textOf(await run(agent, options))
  },
}

export const subject: Subject = waybillSubject({ name: 'Waybill' })

function runsOf(agent: Agent): () => Promise<string> {
  return async () => textOf(await agent.run('go'))
}

function textOf({ output, error }: Awaited<ReturnType<Agent['run']>>): string {
  return String(output ?? error?.message)
}

function definition(members: Variant['agent']): AgentDefinition {
  return parseAgentDefinition(
    JSON.stringify({
      sc_standard: 'SC-006',
      agent_id: '6f1d2a34-5b6c-4d7e-8f90-a1b2c3d4e5f6',
      agent: {
        name: 'Bench',
        goal: 'Count.',
        model: { provider: 'openai', preferred: 'gpt-4o-mini' },
        tools: [{ name: TOOL.name, description: TOOL.description, parameters_schema: TOOL.parameters }],
        orchestration: { max_iterations: 1_000 },
        ...members,
      },
    }),
  )
}

function planOptions(readOnly: boolean, tools: number, delayMs: number): PlanOptions {
  const tool = Object.assign((args: object) => increment(args as { readonly x: number }), { readOnly })
  return {
    env: ENV,
    tools: { [TOOL.name]: tool },
    modelPort: model(tools, delayMs),
  }
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
