import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { full } from './aaif/samples.ts'
import { errorsOf, having, judging } from './aaif-judging.ts'

const { accepts, refuses, requires } = judging('aaif.agent', full)
const words = (text: string) => text.split(' ')

describe('AAIF: the vocabularies of an agent definition', () => {
  test('AAIF-4.2-04: five routing strategies', () => {
    const pointer = '/agent/model/routing_strategy'
    accepts(pointer, ...words('preferred_first cost latency quality round_robin'))
    refuses('AAIF-4.2-04', 'NOT_IN_ENUM', pointer, 'cheapest', 'Cost', '')
  })
  test('AAIF-4.2-12: sixteen providers and custom; others only if they are registered', () => {
    const pointer = '/agent/model/provider'
    const standard = words(
      'openai anthropic google vertex_ai mistral cohere groq ollama azure_openai bedrock huggingface together ' +
        'fireworks deepseek xai openrouter custom',
    )
    assert.equal(standard.length, 17)
    accepts(pointer, ...standard)
    refuses('AAIF-4.2-12', 'NOT_IN_ENUM', pointer, 'acmecorp', 'OpenAI', 'vertexai')
  })
  test('AAIF-4.4-08: auth is optional for tools of every protocol', () => {
    const auth = { type: 'bearer', env_var: 'TOKEN' }
    for (const protocol of ['function', 'mcp', 'http', 'openapi', undefined]) {
      for (const own of [auth, undefined]) {
        const tool = having({ name: 't', description: 'd', auth }, '/auth', own)
        const tools = [protocol === undefined ? tool : { ...(tool as object), protocol }]
        assert.deepEqual(errorsOf('aaif.agent', having(full, '/agent/tools', tools as Json)), [])
      }
    }
    refuses('SPEC-D-26', 'WRONG_TYPE', '/agent/tools/0/auth', 'bearer')
  })
  test('AAIF-4.4-12: a vault_ref needs only provider and path', () => {
    const vault = '/agent/tools/0/auth/vault_ref'
    requires('AAIF-4.4-12', `${vault}/provider`, `${vault}/path`)
    accepts(`${vault}/key`, undefined)
    accepts(`${vault}/version`, undefined)
  })
  test('AAIF-4.5-01: four scopes of memory', () => {
    accepts('/agent/memory/0/scope', ...words('user session task long_term'))
    refuses('AAIF-4.5-01', 'NOT_IN_ENUM', '/agent/memory/0/scope', 'global', 'Task')
  })
  test('AAIF-4.5-07: four strategies of retrieval', () => {
    const pointer = '/agent/memory/0/retrieval_strategy'
    accepts(pointer, ...words('similarity keyword hybrid recency'))
    refuses('AAIF-4.5-07', 'NOT_IN_ENUM', pointer, 'semantic')
  })
  test('AAIF-4.8-02: nine metrics and custom', () => {
    const pointer = '/agent/evaluation/metrics/0/name'
    accepts(
      pointer,
      ...words(
        'faithfulness relevance coherence toxicity hallucination_rate task_completion latency_ms ' +
          'cost_usd_per_run tool_call_accuracy custom',
      ),
    )
    refuses('AAIF-4.8-02', 'NOT_IN_ENUM', pointer, 'accuracy')
  })
  test('SPEC-D-17: a memory entry needs scope and content', () => {
    requires('SPEC-D-17', '/agent/memory/0/scope', '/agent/memory/0/content')
  })
  test('four environments', () => {
    accepts('/agent/runtime/environment', ...words('production staging development test'))
    refuses('SPEC-D-21', 'NOT_IN_ENUM', '/agent/runtime/environment', 'prod')
  })
  test('SPEC-D-22: four levels of the log', () => {
    accepts('/agent/telemetry/log_level', ...words('debug info warn error'))
    refuses('SPEC-D-22', 'NOT_IN_ENUM', '/agent/telemetry/log_level', 'trace')
  })
  test('SPEC-D-23: a metric needs name, a custom metric custom_name, and a test case id and input', () => {
    requires(
      'SPEC-D-23',
      '/agent/evaluation/metrics/1/name',
      '/agent/evaluation/test_cases/0/id',
      '/agent/evaluation/test_cases/0/input',
    )
    accepts('/agent/evaluation/metrics/0', { name: 'custom', custom_name: 'charm' })
  })
})
