import { describe, type TestContext } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { type ModelSubject, modelPortContract, scriptedModel } from 'waybill/testing'
import { withModelProviders } from '../../src/adapters/extensions/ask-models.ts'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { ModelFailure, type ModelPort, type ModelRequest } from '../../src/run/ports.ts'
import { json, planWith, portTo, rawServer, toolNamed } from '../adapters/model-fixture.ts'
import { hold } from './hold.ts'

const TEXT = 'The quick brown fox jumps over the lazy dog.'
const PLAN = planWith({ tools: [toolNamed('look'), toolNamed('find')] })
const asked = (text: string, route: PlannedModel): ModelRequest => ({
  plan: PLAN,
  route,
  messages: [{ role: 'user', text }],
})

/** The providers with different protocols, and the path of each in the double. */
const PATHS = {
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
  mistral: '/v1',
  groq: '/v1',
  custom: '/v1',
}

async function overTheWire(t: TestContext, provider: string, path: string): Promise<ModelSubject> {
  const server = new LLMock({ port: 0, host: '127.0.0.1' })
  const url = await server.start()
  t.after(() => server.stop())
  const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
  const toolCalls = ['look', 'find'].map((name, index) => ({
    id: `call${index}aaaa`,
    name,
    arguments: `{"n":${index}}`,
  }))
  server.onMessage('hello', { content: TEXT, usage, finishReason: 'stop' }, { chunkSize: 8 })
  server.onMessage('look', { toolCalls, usage, finishReason: 'tool_calls' })
  const refusing = await rawServer(t, (response) => json(response, { error: { message: 'no' } }, 401))
  const silent = await rawServer(t, () => {})
  const route = (base: string): PlannedModel => ({
    provider,
    model: 'test-model',
    base_url: base + path,
    eligible: true,
  })
  return {
    port: portTo(),
    answers: { request: asked('hello', route(url)), text: TEXT },
    calls: { request: asked('look', route(url)), tools: ['look', 'find'] },
    fails: asked('hello', route(refusing.url)),
    hangs: asked('hello', route(silent.url)),
  }
}

/** Answers as the last message asks. */
const double = (): ModelPort => ({
  async ask(request, options) {
    const last = request.messages.at(-1)
    const wanted = last?.role === 'user' ? last.text : ''
    if (wanted === 'silence') await new Promise(() => {})
    const answer =
      wanted === 'look'
        ? { calls: [{ tool: 'look' }, { tool: 'find' }] }
        : wanted === 'fail'
          ? { fails: new ModelFailure<string>('route', 'NO_PERCH', 'there is no perch') }
          : TEXT
    return scriptedModel([answer]).ask(request, options)
  },
})

async function ofADouble(port: ModelPort, hangs: boolean): Promise<ModelSubject> {
  const route: PlannedModel = { provider: 'custom', provider_id: 'parrot', model: 'p', eligible: true }
  return {
    port,
    answers: { request: asked('hello', route), text: TEXT },
    calls: { request: asked('look', route), tools: ['look', 'find'] },
    fails: asked('fail', route),
    ...(hangs && { hangs: asked('silence', route) }),
  }
}

for (const [provider, path] of Object.entries(PATHS)) {
  describe(`a model port: ${provider}`, () => hold(modelPortContract, (t) => overTheWire(t, provider, path)))
}

describe('a model port: the script of a test', () =>
  hold(modelPortContract, () => ofADouble(double(), false)))

describe('a model port: an extension', () =>
  hold(modelPortContract, async () => {
    const providers = new Map([['parrot', { open: double }]])
    const named = ({ provider_id = '' }: PlannedModel) => provider_id
    const services = () => ({ fetch, key: async () => undefined })
    return ofADouble(withModelProviders(portTo(), providers, named, services), true)
  }))
