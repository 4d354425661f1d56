import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  type AgentDefinition,
  parseAgentDefinition,
  type RunEvent,
  type RunOptions,
  type RunResult,
  run,
} from 'waybill'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { type ModelAnswer, ModelFailure, type ModelRequest } from '../../src/run/ports.ts'
import { calls, text } from './fixture.ts'

/** The answer of an agent's model to a question: a text, calls, or a failure. */
export type Says = (asked: Asked) => string | ModelAnswer | Promise<string | ModelAnswer>

export interface Asked {
  /** The agent's name. */
  readonly name: string
  readonly request: ModelRequest
  readonly signal: AbortSignal
  /** The latest message that it received. */
  readonly last: string
}

export interface Ran {
  readonly result: RunResult
  readonly events: readonly { readonly run_id: string; readonly event: RunEvent }[]
  /** Names of the agents whose models were asked, in order. */
  readonly asked: readonly string[]
  readonly requests: readonly ModelRequest[]
}

export function agent(name: string, members: JsonObject = {}): JsonObject {
  return {
    sc_standard: 'SC-006',
    agent: {
      name,
      goal: `Be ${name}.`,
      model: { provider: 'openai', preferred: 'm' },
      runtime: { max_retries: 0 },
      ...members,
    },
  }
}

/** Writes definitions into a folder of their own, named after their agents. */
export function folderOf(t: TestContext, definitions: readonly JsonObject[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-family-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const definition of definitions) {
    const { name } = definition.agent as { name: string }
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(definition))
  }
  return folder
}

/** Runs the first definition; the others are its sub-agents. */
export async function runFamily(
  t: TestContext,
  definitions: readonly JsonObject[],
  says: Record<string, Says>,
  options: Partial<RunOptions> & { readonly input?: Json } = {},
): Promise<Ran> {
  const folder = folderOf(t, definitions)
  const asked: string[] = []
  const requests: ModelRequest[] = []
  const events: { run_id: string; event: RunEvent }[] = []
  const root = parseAgentDefinition(definitions[0] as JsonObject) as AgentDefinition
  const result = await run(root, {
    input: 'go',
    folder,
    env: { OPENAI_API_KEY: 'not-used' },
    onEvent: (event) => events.push({ run_id: '', event }),
    modelPort: {
      async ask(request, { signal }) {
        const name = request.plan.agent_name
        asked.push(name)
        requests.push(request)
        const say = says[name]
        if (say === undefined) throw new Error(`no model is given for ${name}`)
        const message = request.messages.at(-1)
        const last = message?.role === 'tool' ? JSON.stringify(message.result) : (message?.text ?? '')
        const answer = await say({ name, request, signal, last })
        return typeof answer === 'string' ? text(answer) : answer
      },
    },
    ...options,
  })
  return { result, events, asked, requests }
}

export function fails(): never {
  throw new ModelFailure('route', 'MODEL_ERROR', 'it is broken')
}

export { calls, text }
