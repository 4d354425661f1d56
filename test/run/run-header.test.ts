import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createdAt, type RunOrigin, rootRunId, runHeader } from '../../src/run/record/run-header.ts'
import { programOf } from './fixture.ts'

const PARENT = { run_id: 'p', root_run_id: 'root', call_id: 'c1', alias: 'clerk' }
const PROGRAM = programOf()

const ORIGIN: Required<RunOrigin> = {
  definition_file: '/agents/clerk.yaml',
  tools_file: '/agents/tools.ts',
  user: 'ann',
  session: 's1',
  on_behalf_of: 'bea',
  parent: PARENT,
  flags: { yes: ['send'] },
  batch: { id: 'b1', key: 'k', index: 0 },
  replay: { run_id: 'r0', at: 3 },
  definitions: { aa: 'identity' },
}

/** The members of every header; `created_at` is compared by its own test. */
const ALWAYS = {
  v: 1,
  run_id: 'r1',
  agent_id: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c',
  agent_name: 'Clerk',
  plan_hash: PROGRAM.hash,
  rehearsal: false,
}

function headerOf(origin?: RunOrigin) {
  const { created_at, ...header } = runHeader(PROGRAM, 'r1', origin)
  return header
}

describe('the header of a run', () => {
  test('a run of unknown origin has no member for it', () => {
    assert.deepEqual(headerOf(), ALWAYS)
    const nothing = { definition_file: undefined, tools_file: undefined, user: undefined, session: undefined }
    assert.deepEqual(headerOf(nothing), ALWAYS)
  })

  for (const [name, value] of Object.entries(ORIGIN))
    test(`${name} is kept, alone`, () => {
      assert.deepEqual(headerOf({ [name]: value }), { ...ALWAYS, [name]: value })
    })

  test('every part of the origin is kept, together', () => {
    assert.deepEqual(headerOf(ORIGIN), { ...ALWAYS, ...ORIGIN })
  })

  test('it contains when the run was created, in ISO 8601 UTC', () => {
    const before = Date.now()
    const header = runHeader(PROGRAM, 'r1')
    assert.match(header.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(createdAt(header) >= before && createdAt(header) <= Date.now())
  })

  test('the root is the run itself, or the run that started its parents', () => {
    assert.equal(rootRunId({ run_id: 'r1' }), 'r1')
    assert.equal(rootRunId({ run_id: 'r1', parent: PARENT }), 'root')
  })

  for (const [created_at, expected] of [
    ['2026-03-01T08:00:00.000Z', 1_772_352_000_000],
    ['1969-12-31T23:59:59.999Z', -1],
    ['1970-01-01T00:00:00.000Z', 0],
    ['yesterday', 0],
    ['', 0],
  ] as const)
    test(`a run created at "${created_at}" is listed at ${expected}`, () => {
      assert.equal(createdAt({ created_at }), expected)
    })
})
