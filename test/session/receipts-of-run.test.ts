import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { Decision, Fact, RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { RunRecords } from '../../src/run/record/records.ts'
import type { RunHeader } from '../../src/run/record/run-header.ts'
import { restoredMembers } from '../../src/run/restored.ts'
import type { CallEntry, RestoredFrom } from '../../src/run/state.ts'
import { receiptKeysOf } from '../../src/session/receipt-keys.ts'
import { exportReceipts, type ReceiptsOptions, receiptsOfRun } from '../../src/session/receipts-of-run.ts'
import type { TrustedKey } from '../../src/trust/trust-store.ts'
import { recordedWrites } from '../state/recorded-writes-of.ts'
import { A, B, HOST_A, HOST_B, keyPair, problemsIn, verdictOn } from '../trust/receipts-file.ts'

type Step = readonly [Fact, Decision?]

const write = (n: number, members: Partial<CallEntry> = {}): CallEntry => ({
  id: `c${n}`,
  tool: 'send',
  args: { n },
  key: `k${n}`,
  effect: 'once',
  status: 'sent',
  ...members,
})
const agent = (alias: string, run_id: string, status: CallEntry['status'] = 'sent'): CallEntry =>
  write(0, {
    id: alias,
    key: alias,
    effect: 'idempotent',
    status,
    agent: { alias, definition: 'd', run_id, input: 'x', pass_context: false, limits: {} },
  })

const STARTED: Step = [{ type: 'run.started', input: 'x' }]
const calls = (...made: readonly CallEntry[]): Step => [
  {
    type: 'model.answered',
    attempt: 1,
    message: { role: 'assistant', text: '', calls: [] },
    finish: 'tool_calls',
    usage: { input_tokens: 1, output_tokens: 1 },
    latency_ms: 1,
  },
  { calls: made },
]
const restored = (
  from: Partial<RestoredFrom>,
  made: readonly CallEntry[],
  receipts?: readonly JsonObject[],
): Step => [
  {
    type: 'run.restored',
    by: 'x',
    from: { state_id: 's', checkpoint_at: 'x', ...from },
    state: { ...restoredMembers(initialState('', '', '')), calls: made },
    ...(receipts !== undefined && { receipts }),
  },
]

interface Stored {
  readonly parent?: string
  readonly steps: readonly Step[]
  readonly at?: number
  readonly imported?: boolean
}

/** The part of a store that receipts are made from. */
function recordsOf(stored: Readonly<Record<string, Stored>>): { readonly runs: RunRecords } {
  const { runs } = memoryRecords()
  const headerOf = (run_id: string): RunHeader => ({
    v: 1,
    run_id,
    agent_id: 'a',
    agent_name: 'Agent',
    created_at: '2026-11-24T00:00:00.000Z',
    plan_hash: 'p',
    rehearsal: false,
    ...(stored[run_id]?.parent !== undefined && {
      parent: { run_id: stored[run_id].parent, root_run_id: stored[run_id].parent, call_id: 'x', alias: 'x' },
    }),
  })
  const listed = ((id: string) => ({
    header: headerOf(id),
    imported: stored[id]?.imported === true,
  })) as RunRecords['listed']
  const events = (id: string): readonly RunEvent[] =>
    (stored[id]?.steps ?? []).map(([fact, decision = {}], index) => ({
      seq: index + 1,
      at: (stored[id]?.at ?? 0) + index,
      fact,
      decision,
    }))
  return { runs: Object.assign(runs, { listed, events, has: (id: string) => id in stored }) }
}

const ON_A = { host: A, sign: HOST_A.sign }
const ON_B = { host: B, sign: HOST_B.sign }
const made = (
  stored: Readonly<Record<string, Stored>>,
  run: string,
  options: Partial<ReceiptsOptions> = {},
  host = ON_A,
) => receiptsOfRun(recordsOf(stored), run, host, { at: 0, ...options })
const kinds = (lines: readonly JsonObject[]) =>
  lines.map(({ type, run_id, key }) => (type === 'receipt' ? `${run_id} ${key}` : `${run_id} end`))

const FAMILY = {
  root: { steps: [STARTED, calls(write(1), agent('w', 'worker')), calls(write(4))] },
  worker: { parent: 'root', at: 1, steps: [STARTED, calls(write(2)), calls(write(3))] },
}

/** The receipts of FAMILY as they move to B. */
const handed = () => made(FAMILY, 'root', { to: { platform: B }, status: 'migrating' })

describe('the receipts of a run', () => {
  test('those of sub-agents precede those of the run that has called them', async () => {
    const lines = await made(FAMILY, 'root')
    assert.deepEqual(kinds(lines), ['worker k2', 'worker k3', 'worker end', 'root k1', 'root k4', 'root end'])
    assert.ok(lines.every(({ host, root_run_id }) => host === A && root_run_id === 'root'))
    assert.deepEqual(problemsIn(lines), [])
  })

  test('a store that reads part by part is not asked for a whole record', async () => {
    const { runs } = recordsOf(FAMILY)
    async function* parts(id: string): AsyncGenerator<readonly RunEvent[]> {
      for (const event of await runs.events(id)) yield [event]
    }
    const events = () => assert.fail('all events are read at once')
    const inParts = { runs: { ...runs, events, parts } as unknown as RunRecords }
    assert.deepEqual(await receiptsOfRun(inParts, 'root', ON_A, { at: 0 }), await made(FAMILY, 'root'))
  })

  test('what the record says can be given, and then it is not read', async () => {
    const { runs } = recordsOf(FAMILY)
    const { header } = await runs.listed('root')
    const recorded = recordedWrites(header as RunHeader, await runs.events('root'))
    const events = (id: string) => (id === 'root' ? assert.fail('it is read') : runs.events(id))
    const given = { runs: { ...runs, events } as unknown as RunRecords }
    assert.deepEqual(
      await receiptsOfRun(given, 'root', ON_A, { at: 0, recorded }),
      await made(FAMILY, 'root'),
    )
  })

  test('at an earlier event, they are those of that moment', async () => {
    assert.deepEqual(kinds(await made(FAMILY, 'root', { seq: 2, until: 2 })), [
      'worker k2',
      'worker end',
      'root k1',
      'root end',
    ])
    assert.deepEqual(kinds(await made(FAMILY, 'root', { seq: 1, until: 0 })), ['root end'])
  })

  test('a sub-agent without a record has sent nothing', async () => {
    const lines = await made({ root: FAMILY.root }, 'root')
    assert.deepEqual(lines.at(-1)?.subagents, [])
    assert.deepEqual(problemsIn(lines), [])
  })

  test('an export of a sub-agent is that of its root, unless the root has no record', async () => {
    const records = recordsOf(FAMILY)
    const text = await exportReceipts(records, 'worker', ON_A, { at: 0 })
    assert.equal(text, await exportReceipts(records, 'root', ON_A, { at: 0 }))
    const alone = await exportReceipts(recordsOf({ worker: FAMILY.worker }), 'worker', ON_A, { at: 0 })
    assert.deepEqual(
      problemsIn(
        alone
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
      ['3 RECEIPT_MISSING'],
    )
  })

  test('an imported record is refused', async () => {
    await assert.rejects(made({ root: { ...FAMILY.root, imported: true } }, 'root'), { code: 'RUN_IMPORTED' })
  })
})

describe('the receipts of a run that continues a state', () => {
  const there = async (receipts?: readonly JsonObject[]) => ({
    new: {
      steps: [
        restored(
          { run_id: 'root', seq: 3 },
          [agent('w', 'new-worker', 'held'), agent('z', 'other')],
          receipts,
        ),
        calls(write(5)),
      ],
    },
    'new-worker': {
      parent: 'new',
      steps: [restored({ run_id: 'worker', seq: 3 }, [write(3, { status: 'unknown' })])],
    },
    other: { parent: 'new', steps: [STARTED, calls(write(6))] },
  })

  test('those that have come with it precede its own, unchanged, and both are connected', async () => {
    const receipts = await handed()
    const lines = await made(await there(receipts), 'new', {}, ON_B)
    assert.deepEqual(lines.slice(0, receipts.length), receipts)
    assert.deepEqual(kinds(lines.slice(receipts.length)), [
      'new-worker k3',
      'new-worker end',
      'other k6',
      'other end',
      'new k5',
      'new end',
    ])
    const { problems, writes } = verdictOn(lines)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      writes.map(({ key, verdict }) => `${key} ${verdict}`),
      ['k2 unknown', 'k3 unknown', 'k1 unknown', 'k4 unknown', 'k6 unknown', 'k5 unknown'],
    )
  })

  test('they are also those of what its record says, if that is given', async () => {
    const stored = await there(await handed())
    const { runs } = recordsOf(stored)
    const { header } = await runs.listed('new')
    const recorded = recordedWrites(header as RunHeader, await runs.events('new'))
    assert.deepEqual(await made(stored, 'new', { recorded }, ON_B), await made(stored, 'new', {}, ON_B))
  })

  test('a state without receipts leaves the host before unproven', async () => {
    const lines = await made(await there(), 'new', {}, ON_B)
    assert.deepEqual(problemsIn(lines), ['2 RECEIPT_SEGMENT_MISSING', '6 RECEIPT_SEGMENT_MISSING'])
  })

  test('captured alone, the run of a sub-agent has only the receipts of the runs that it continues', async () => {
    const receipts = await handed()
    const lines = await made(await there(receipts), 'new-worker', {}, ON_B)
    assert.deepEqual(kinds(lines), [
      'worker k2',
      'worker k3',
      'worker end',
      'new-worker k3',
      'new-worker end',
    ])
    assert.deepEqual(kinds(await made(await there(receipts), 'other', {}, ON_B)), ['other k6', 'other end'])
  })

  test('a run that was captured twice is continued where it was captured last', async () => {
    const [before, later] = [
      await made(FAMILY, 'root', { seq: 2, until: 2, to: { platform: B } }),
      await handed(),
    ]
    const lines = await made(await there([...before, ...later]), 'new', {}, ON_B)
    assert.deepEqual(problemsIn(lines), ['2 RECEIPT_UNCONNECTED', '4 RECEIPT_UNCONNECTED'])
  })
})

describe('the keys that may sign receipts', () => {
  const trusted = (members: Partial<TrustedKey>): TrustedKey => ({
    name: 'acme',
    keyId: HOST_A.id,
    publicKey: HOST_A.key,
    signsFor: {},
    ...members,
  })
  const other = keyPair()
  const more = new Map([[HOST_A.id, { name: 'file', publicKey: HOST_A.key }]])
  const found = (keys: readonly TrustedKey[], host: string | undefined = A) =>
    receiptKeysOf({ trust: { keys: () => keys } }, more)(HOST_A.id, host)?.name

  test('own and trusted keys, then those of files', () => {
    assert.equal(found([trusted({})]), 'acme')
    assert.equal(found([]), 'file')
    assert.equal(found([trusted({ keyId: other.id })]), 'file')
    assert.equal(receiptKeysOf({ trust: { keys: () => [] } })(HOST_A.id, A), undefined)
  })

  test('a key for some platforms signs for these only, and one for authors for none', () => {
    const only = (sourcePlatform: readonly string[]) => trusted({ signsFor: { sourcePlatform } })
    assert.equal(found([only(['https://a.example/*'])]), 'acme')
    assert.equal(found([only(['https://b.example/*', A])]), 'acme')
    assert.equal(
      receiptKeysOf({ trust: { keys: () => [only(['https://b.example/*'])] } })(HOST_A.id, A),
      undefined,
    )
    assert.equal(
      receiptKeysOf({ trust: { keys: () => [only(['https://a.example/*'])] } })(HOST_A.id, undefined),
      undefined,
    )
    const author = trusted({ signsFor: { authoredBy: ['*'] } })
    assert.equal(receiptKeysOf({ trust: { keys: () => [author] } })(HOST_A.id, A), undefined)
    assert.equal(found([author, trusted({ name: 'second' })]), 'second')
  })

  test('a key that was revoked stays revoked, whatever a file says', () => {
    assert.equal(found([trusted({ revokedAt: '2026-11-24T00:00:00Z' })]), undefined)
  })
})
