import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import canonicalizeElsewhere from 'canonicalize'
import type { JsonObject } from '../../src/document/json.ts'
import { DEFINITION, GO, KEY, MailModel, Place, waybill } from './fixture.ts'

const CLERK = '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b0c'
const HEAD = '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b00'
const CHILD_STATE = '1b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a0a'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

/** A pipeline with one sub-agent, which sends a mail. */
function placeOf(t: TestContext): Place {
  const place = new Place(t, {
    sc_standard: 'SC-006',
    agent_id: HEAD,
    agent: {
      name: 'Head',
      goal: 'Let another work.',
      orchestration: { subagents: [{ ref: 'clerk', alias: 'clerk' }], pipeline: ['clerk'] },
    },
  })
  place.write(
    'clerk.json',
    JSON.stringify({ sc_standard: 'SC-006', agent_id: CLERK, agent: DEFINITION.agent }),
  )
  place.env.WAYBILL_KEY_CUSTOM = KEY
  return place
}

/** The checksum by the text of the draft: SHA-256 of the canonical form without it. */
function sealed(state: JsonObject): string {
  const { checksum: _before, ...provenance } = (state.provenance ?? {}) as JsonObject
  const text = canonicalizeElsewhere({ ...state, provenance }) ?? ''
  const checksum = createHash('sha256').update(text).digest('hex')
  return JSON.stringify({ ...state, provenance: { ...provenance, checksum } })
}

const read = (place: Place, name: string): JsonObject =>
  JSON.parse(readFileSync(join(place.folder, name), 'utf8'))

/** Exports a run whose sub-agent waits for a person, into a folder of its own. @returns the id of the state of the sub-agent */
async function exported(place: Place): Promise<string> {
  model.script({ args: '{"to":"ada"}' })
  const waiting = await waybill(place, [...GO, '--json', ...model.flags])
  assert.equal(waiting.code, 4, waiting.err)
  mkdirSync(join(place.folder, 'out'), { recursive: true })
  const { run_id } = JSON.parse(waiting.out)
  const said = await waybill(place, ['state', 'export', run_id, '-o', 'out/state.json', '--json'])
  assert.equal(said.code, 0, said.err)
  const [entry] = read(place, 'out/state.json').subagent_states as readonly JsonObject[]
  const id = String(entry?.state_id)
  assert.deepEqual(JSON.parse(said.out).documents, [`out/${id}.json`])
  return id
}

describe('states of sub-agents beside the state of their caller', () => {
  test('AAIF-8.1-10: export writes a document for each active sub-agent, which its caller names by state_id', async (t) => {
    const place = placeOf(t)
    const id = await exported(place)
    assert.deepEqual(readdirSync(join(place.folder, 'out')).sort(), [`${id}.json`, 'state.json'].sort())
    const child = read(place, `out/${id}.json`)
    assert.deepEqual([child.state_id, child.agent_id, child.status], [id, CLERK, 'awaiting_approval'])
    assert.equal(statSync(join(place.folder, `out/${id}.json`)).mode & 0o777, 0o600)
    const verified = await waybill(place, ['state', 'verify', `out/${id}.json`])
    assert.equal(verified.code, 0, verified.err)
    // Said once more for Waybill, and equal.
    const { documents } = read(place, 'out/state.json')['x-waybill'] as { documents: readonly JsonObject[] }
    assert.deepEqual(documents, [child])
  })

  test('AAIF-8.1-21: an export continues with and without the files; a file that differs is refused', async (t) => {
    const place = placeOf(t)
    const id = await exported(place)
    const file = join(place.folder, `out/${id}.json`)
    const resume = [
      'resume',
      'out/state.json',
      '--agent',
      'agent.json',
      '--tools',
      'tools.mjs',
      '--json',
      '--fail-on-loss',
    ]
    const flags = ['--no-resume']
    const codes: unknown[] = []
    const child = read(place, `out/${id}.json`)
    for (const content of [
      readFileSync(file, 'utf8'),
      null,
      sealed({ ...child, iteration: 7 }),
      sealed({ ...child, state_id: CHILD_STATE }),
      readFileSync(file, 'utf8').replace('"to": "ada"', '"to": "eve"'),
      '{',
    ]) {
      if (content === null) rmSync(file)
      else writeFileSync(file, content)
      const said = await waybill(place, [...resume, ...flags, ...model.flags])
      codes.push(said.code === 0 ? 'continued' : JSON.parse(said.out).error.code)
    }
    assert.deepEqual(codes, [
      'continued',
      'continued',
      'STATE_DOCUMENT_DIFFERS',
      'STATE_DOCUMENT_DIFFERS',
      'STATE_CHECKSUM_MISMATCH',
      'JSON_SYNTAX',
    ])
  })

  test('AAIF-8.1-21: a foreign parent with a foreign document beside it continues with it; without it the report says so', async (t) => {
    const place = placeOf(t)
    model.script({ calls: false, answer: 'Continued.' })
    mkdirSync(join(place.folder, 'foreign'))
    const state = {
      sc_standard: 'SC-006',
      state_id: '1b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a00',
      agent_id: HEAD,
      checkpoint_at: '2026-03-01T09:00:00Z',
      status: 'running',
      conversation: [{ role: 'user', content: 'Go' }],
      pipeline_position: { current_step: 'clerk' },
      subagent_states: [{ alias: 'clerk', agent_id: CLERK, state_id: CHILD_STATE, status: 'running' }],
      provenance: { source_platform: 'Elsewhere' },
    }
    const child = {
      sc_standard: 'SC-006',
      state_id: CHILD_STATE,
      agent_id: CLERK,
      checkpoint_at: '2026-03-01T09:00:00Z',
      status: 'running',
      conversation: [{ role: 'user', content: 'words that only the sub-agent has heard' }],
    }
    place.write('foreign/parent.json', sealed(state))
    place.write(`foreign/${CHILD_STATE}.json`, sealed(child))
    const argv = [
      'resume',
      'foreign/parent.json',
      '--agent',
      'agent.json',
      '--tools',
      'tools.mjs',
      '--json',
      ...model.flags,
    ]
    const said = await waybill(place, argv)
    assert.equal(said.code, 0, said.err)
    assert.equal(model.lastMessage(), 'words that only the sub-agent has heard')
    const entryOf = (out: string) =>
      JSON.parse(out).report.entries.find(({ part }: { part: string }) => part === 'subagent_states clerk')
    assert.equal(entryOf(said.out).status, 'kept')
    rmSync(join(place.folder, `foreign/${CHILD_STATE}.json`))
    const without = await waybill(place, argv)
    assert.equal(without.code, 0, without.err)
    assert.equal(model.lastMessage(), 'Go')
    assert.equal(entryOf(without.out).status, 'left_behind')
    const refused = await waybill(place, [...argv, '--fail-on-loss'])
    assert.deepEqual([refused.code, JSON.parse(refused.out).error.code], [1, 'STATE_LOSS'])
  })

  test('an id is never used as a path: files outside of the folder are not read', async (t) => {
    const place = placeOf(t)
    const state = (id: string) => ({
      sc_standard: 'SC-006',
      state_id: '1b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a00',
      agent_id: HEAD,
      checkpoint_at: '2026-03-01T09:00:00Z',
      status: 'running',
      conversation: [{ role: 'user', content: 'Go' }],
      subagent_states: [{ alias: 'clerk', agent_id: CLERK, state_id: id, status: 'running' }],
    })
    mkdirSync(join(place.folder, 'in'))
    place.write('secret.json', '{ not read')
    const argv = [
      'resume',
      'in/parent.json',
      '--agent',
      'agent.json',
      '--tools',
      'tools.mjs',
      '--json',
      '--no-resume',
      ...model.flags,
    ]
    for (const id of ['../secret', '..%2fsecret', join(place.folder, 'secret'), '.hidden']) {
      place.write('in/parent.json', sealed(state(id)))
      assert.equal((await waybill(place, argv)).code, 0, id)
    }
    place.write('in/parent.json', sealed(state(CHILD_STATE)))
    symlinkSync(join(place.folder, 'secret.json'), join(place.folder, `in/${CHILD_STATE}.json`))
    const linked = await waybill(place, argv)
    assert.equal(JSON.parse(linked.out).error.code, 'FILE_UNREADABLE')
    assert.ok(existsSync(join(place.folder, 'secret.json')))
  })
})
