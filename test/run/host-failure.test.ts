import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { toModelFailure } from '../../src/adapters/models/failure.ts'
import { listRuns, parseAgentDefinition, resume, run } from '../../src/index.ts'
import { HostFailure, ModelFailure, type ModelPort } from '../../src/run/ports.ts'

const CONTEXT = {
  route: { provider: 'custom', model: 'm', base_url: 'http://127.0.0.1:9/v1', eligible: true },
  name: 'custom/m',
  keyHint: 'no key',
  keySent: false,
  redact: (text: string) => text,
}
const wrapped = (code: string) =>
  new Error('fetch failed', { cause: Object.assign(new Error(code), { code }) })

describe('a machine that can open no connection', () => {
  for (const code of ['EMFILE', 'ENFILE'])
    test(`${code} is not a failure of the model`, () => {
      assert.throws(
        () => toModelFailure(wrapped(code), CONTEXT),
        (error) =>
          error instanceof HostFailure && (error.cause as { code?: string }).code === 'TOO_MANY_FILES',
      )
    })

  test('a refused connection is a failure of the model', () => {
    assert.ok(toModelFailure(wrapped('ECONNREFUSED'), CONTEXT) instanceof ModelFailure)
  })

  test('stops the run; no event reports a failure of the model, and the run can be resumed', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-host-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const definition = parseAgentDefinition(
      JSON.stringify({
        sc_standard: 'SC-006',
        agent: { name: 'Clerk', goal: 'Answer.', model: { provider: 'openai', preferred: 'm' } },
      }),
    )
    let broken = true
    const modelPort: ModelPort = {
      async ask() {
        if (broken) throw new HostFailure(new Error('no files left'))
        const message = { role: 'assistant', text: 'here', calls: [] } as const
        return { message, finish: 'stop', usage: { input_tokens: 1, output_tokens: 1 }, warnings: [] }
      },
    }
    const options = { home: join(folder, 'home'), env: { OPENAI_API_KEY: 'not-a-key' }, modelPort }
    const types: string[] = []
    await assert.rejects(
      run(definition, { ...options, input: 'go', onEvent: ({ fact }) => types.push(fact.type) }),
      /^Error: no files left$/,
    )
    assert.deepEqual(types, ['run.started'])
    broken = false
    const runs = await listRuns({ home: options.home })
    const result = await resume(runs[0]?.run_id ?? '', options)
    assert.deepEqual([result.status, result.output], ['completed', 'here'])
  })
})
