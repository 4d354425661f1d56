import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import type { Io } from '../../src/cli/io.ts'
import { type ValidateOptions, validate } from '../../src/cli/validate/validate.ts'

const dir = mkdtempSync(join(tmpdir(), 'waybill-aaif-'))
after(() => rmSync(dir, { recursive: true }))
const corpus = join(import.meta.dirname, '../conformance')

function write(name: string, value: unknown): string {
  writeFileSync(join(dir, name), typeof value === 'string' ? value : JSON.stringify(value))
  return join(dir, name)
}

async function run(path: string, options: ValidateOptions = {}, input = '') {
  const io = { cwd: dir, env: {}, out() {}, err() {}, stdin: Readable.from([input]), color: false }
  const { files, exit } = await validate([path], options, io as unknown as Io)
  const codes = files.flatMap(({ issues }) => issues.map(({ code, line }) => [code, line]))
  return { exit, kind: files[0]?.kind, codes }
}

describe('waybill validate with all AAIF documents', () => {
  test('a stream is detected by its file extension or --kind, and read line by line', async () => {
    const file = join(corpus, 'aaif.handoff-stream/valid/everything.ndjson')
    assert.deepEqual(await run(file), { exit: 0, kind: 'aaif.handoff-stream', codes: [] })
    const broken = '{"type":"handoff_init"}\n\n'
    const expected = { exit: 1, kind: 'aaif.handoff-stream', codes: [['LINE_BLANK', 2]] }
    assert.deepEqual(await run(write('a.jsonl', broken)), expected)
    assert.deepEqual(await run(write('a.txt', broken), { kind: 'aaif.handoff-stream' }), expected)
    assert.deepEqual(await run('-', { kind: 'aaif.handoff-stream' }, broken), expected)
    assert.deepEqual(await run(write('long.ndjson', broken), { maxBytes: 5 }), {
      ...expected,
      codes: [['DOCUMENT_TOO_LARGE', 1]],
    })
  })
  test('--registry accepts registries and applies them in order', async () => {
    const registry = (status: string) =>
      write(`${status}.json`, {
        registry: 'aaif-model-providers',
        sc_standard: 'SC-006',
        description: 'Ours.',
        registration_policy: 'First Come First Served',
        entries: [{ id: 'house_model', status }],
      })
    const agent = { name: 'a', goal: 'b', model: { provider: 'house_model' } }
    const file = write('agent.json', { sc_standard: 'SC-006', agent })
    const codes = async (...registries: string[]) =>
      (await run(file, { registries })).codes.map(([code]) => code)
    assert.deepEqual(await codes(), ['NOT_IN_ENUM'])
    assert.deepEqual(await codes(registry('standard')), [])
    assert.deepEqual(await codes(registry('standard'), registry('deprecated')), ['VALUE_DEPRECATED'])
  })
  test('an invalid or missing registry stops the command before it validates a file', async () => {
    const file = write('agent.json', { sc_standard: 'SC-006', agent: { name: 'a', goal: 'b' } })
    await assert.rejects(run(file, { registries: [file] }), { code: 'REQUIRED_MISSING' })
    await assert.rejects(run(file, { registries: ['nowhere.json'] }), { code: 'FILE_UNREADABLE' })
    await assert.rejects(run(file, { registries: [write('half.json', '{')] }), { code: 'FILE_UNREADABLE' })
  })
})
