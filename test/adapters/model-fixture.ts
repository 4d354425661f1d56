import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createModelPort, type ModelPortOptions } from '../../src/adapters/models/model-port.ts'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { Plan, PlannedModel, PlannedTool } from '../../src/plan/plan.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import type { ModelOptions, ModelPort } from '../../src/run/ports.ts'
import type { Message } from '../../src/run/state.ts'

export const loopback = { hosts: [parseHostGrant('127.0.0.1')] }

export function planWith(changes: Partial<Plan> = {}): Plan {
  return {
    v: 1,
    agent_id: 'a',
    agent_name: 'Agent',
    definition_hash: '0'.repeat(64),
    rehearsal: false,
    safety_level: 'standard',
    system_prompt: 'You are terse.',
    models: [],
    params: {},
    tools: [],
    subagents: [],
    memory: [],
    constraints: [],
    audit: false,
    degradations: [],
    refusals: [],
    secrets: [],
    limits: { max_iterations: 10 },
    retry: { max_retries: 2, backoff: 'fixed', base_ms: 1 },
    input: {},
    output: { format: 'text', structured: false },
    streaming: false,
    telemetry: {
      tracing: true,
      metrics: true,
      log_level: 'info',
      trace_context_header: 'traceparent',
    },
    ...changes,
  }
}

export function toolNamed(name: string, changes: Partial<PlannedTool> = {}): PlannedTool {
  const base = {
    description: `Does ${name}.`,
    protocol: 'function',
    effect: 'read',
    idempotent: false,
  } as const
  return { name, ...base, gate: 'allow', ...changes }
}

export const customRoute = (url: string, changes: Partial<PlannedModel> = {}): PlannedModel => ({
  provider: 'custom',
  provider_id: 'acme',
  model: 'test-model',
  base_url: `${url}/v1`,
  eligible: true,
  ...changes,
})
export const openaiRoute = (url: string, changes: Partial<PlannedModel> = {}): PlannedModel => ({
  provider: 'openai',
  model: 'gpt-4o-mini',
  base_url: `${url}/v1`,
  eligible: true,
  ...changes,
})
export const anthropicRoute = (url: string, changes: Partial<PlannedModel> = {}): PlannedModel => ({
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  base_url: `${url}/v1`,
  eligible: true,
  ...changes,
})

export const ask = (
  port: ModelPort,
  route: PlannedModel,
  options: {
    plan?: Plan
    messages?: readonly Message[]
    signal?: AbortSignal
    onText?: ModelOptions['onText']
  } = {},
) =>
  port.ask(
    {
      plan: options.plan ?? planWith(),
      route,
      messages: options.messages ?? [{ role: 'user', text: 'hello' }],
    },
    {
      signal: options.signal ?? new AbortController().signal,
      ...(options.onText !== undefined && { onText: options.onText }),
    },
  )

export const portTo = ({
  env = {},
  ...options
}: Partial<ModelPortOptions> & { readonly env?: Readonly<Record<string, string>> } = {}): ModelPort =>
  createModelPort({
    secrets: environmentSecrets(env),
    fetch: createGuardedFetch({ grants: loopback }),
    ...options,
  })

export interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject & Record<string, never>
}

/** A server that writes the data of a test, for malformed answers. */
export async function rawServer(
  t: TestContext,
  answer: (response: ServerResponse, seen: Seen, count: number) => void,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const entry = {
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? {} : JSON.parse(text),
    }
    seen.push(entry)
    answer(response, entry, seen.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

export const json = (
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

/** A chat completion as OpenAI-compatible servers write it. */
export const completion = (message: object, finish_reason: string | null = 'stop') => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'test-model',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
})
