import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import type { WaybillError } from '../../src/document/issue.ts'
import type { Approvals, ApprovalView, Ballot } from '../../src/platform/inbox/approval.ts'
import { approvalsOf } from '../../src/platform/inbox/approvals.ts'
import { listQuestions } from '../../src/platform/inbox/list-questions.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import { leaveDecision } from '../../src/session/leave-decision.ts'
import { ASKS } from '../run/core.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { until } from './leg-place.ts'
import { testDatabase } from './postgres.ts'
import { scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const person = (user: string) => ({ organisation: 'a', user, roles: ['approver' as const] })

/** The ballot of an organisation without policies. */
const NO_POLICIES: Ballot = {
  cast: async () => undefined,
  edited: async () => undefined,
}

/** Two servers and a worker on one database, and runs that ask a person. */
async function place(t: TestContext) {
  const startWorker = workersOf(t)
  const { database, urls, open } = await testDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-approvals-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
  const recordsOf = (on: typeof database) =>
    openPostgresRecords(on, 'a', { worker: null, signAudit: () => privateKey })
  const servers: readonly PostgresRecords[] = [recordsOf(database), recordsOf(await open())]
  const log = join(folder, 'log')
  await startWorker({ urls, leaseMs: 1000, log })
  const [records] = servers as [PostgresRecords]
  const ask = async (run_id: string) => {
    const run = scriptedRun(run_id, { pays: 1, name: run_id }, ASKS)
    const header = { ...run.header, user: 'carl', on_behalf_of: 'bea' }
    await records.runs.enqueue({ ...run, header }, {})
  }
  const sync = { pool: database.app, org: 'a', records }
  const list: Approvals['list'] = (query) =>
    listQuestions({ app: database.app, org: 'a', records, sync }, query)
  const sent = (): readonly string[] => {
    try {
      return readFileSync(log, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  return {
    servers,
    records,
    ask,
    sent,
    list,
    database,
    approvals: approvalsOf(records, person('ann'), NO_POLICIES, list),
  }
}

async function open(approvals: Approvals, count: number): Promise<readonly ApprovalView[]> {
  let items: readonly ApprovalView[] = []
  await until(async () => {
    items = (await approvals.list({ limit: 100 })).items
    return items.length === count
  })
  return items
}

const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'accepted',
    ({ code }: WaybillError) => code,
  )

describe('questions to people', () => {
  it('are accepted once each, of many deciders at several servers, and each call is sent once', async (t) => {
    const { servers, records, ask, sent, approvals, list } = await place(t)
    const ids = Array.from({ length: 50 }, (_, n) => `r${n}`)
    await Promise.all(ids.map(ask))
    const questions = await open(approvals, 50)
    const codes = await Promise.all(
      questions.map(({ id, digest }) =>
        Promise.all(
          ['ann', 'bob', 'cem', 'dan'].map((user, n) => {
            const server = servers[n % 2] as PostgresRecords
            return codeOf(
              approvalsOf(server, person(user), NO_POLICIES, list).decide(id, {
                verdict: 'approve',
                digest,
              }),
            )
          }),
        ),
      ),
    )
    for (const one of codes)
      assert.deepEqual([...one].sort(), [...Array(3).fill('APPROVAL_DECIDED'), 'accepted'])
    assert.deepEqual(
      await untilOver(records, ids),
      ids.map(() => 'completed'),
    )
    assert.deepEqual([...sent()].sort(), ids.map((id) => `send {"n":1,"name":"${id}"}`).sort())
    // Later too, for each person and each verdict: every answer names the person who has decided.
    for (const { id, run_id, call_id } of questions.slice(0, 5)) {
      const by = (await records.runs.decisions(run_id))[0]?.by ?? ''
      for (const verdict of ['approve', 'deny', 'resend'] as const)
        await assert.rejects(approvals.decide(id, { verdict }), {
          code: 'APPROVAL_DECIDED',
          message: `${by} has already decided: approve`,
        })
      for (const call of [call_id, call_id.slice(0, 1), undefined])
        await assert.rejects(leaveDecision(records, run_id, call, { verdict: 'deny', by: 'eve' }), {
          code: 'APPROVAL_DECIDED',
          message: `${by} has already decided: approve`,
        })
      // Another question about the same call was never asked.
      const next = id.replace(/~\d+~/, '~999~')
      assert.equal(await codeOf(approvals.decide(next, { verdict: 'approve' })), 'APPROVAL_NOT_FOUND')
    }
  })

  it('are listed with a number of statements that does not depend on how many there are', async (t) => {
    const { ask, approvals } = await place(t)
    const ids = Array.from({ length: 50 }, (_, n) => `r${n}`)
    await Promise.all(ids.map(ask))
    const listed = await open(approvals, 50)
    let statements = 0
    const { query } = pg.Client.prototype
    pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
      statements++
      return Reflect.apply(query, this, given)
    } as never
    t.after(() => {
      pg.Client.prototype.query = query
    })
    const counted = async (limit: number) => {
      statements = 0
      const { items } = await approvals.list({ limit })
      assert.equal(items.length, limit)
      return statements
    }
    const few = await counted(1)
    assert.equal(await counted(50), few)
    assert.ok(few <= 10, `${few} statements`)
    // Page by page they are the same, in the same order.
    const paged: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page = await approvals.list({ limit: 7, ...(cursor !== undefined && { cursor }) })
      paged.push(...page.items.map(({ id }) => id))
      cursor = page.next
    }
    assert.deepEqual(
      paged,
      listed.map(({ id }) => id),
    )
  })

  it('say what is asked and for whom, and can be filtered', async (t) => {
    const { ask, approvals } = await place(t)
    await Promise.all(['r1', 'r2'].map(ask))
    const [first, second] = await open(approvals, 2)
    assert.deepEqual([first?.user, first?.on_behalf_of, first?.tool], ['carl', 'bea', 'send'])
    assert.match(first?.digest ?? '', /^sha256:[0-9a-f]{64}$/)
    assert.notEqual(first?.digest, second?.digest)
    const { agent_id = '', run_id = '' } = first ?? {}
    for (const [query, count] of [
      [{ run_id }, 1],
      [{ agent_id }, 2],
      [{ agent_id: 'other' }, 0],
      [{ user: 'carl' }, 2],
      [{ user: 'ada' }, 0],
      [{ tool: 'send' }, 2],
      [{ tool: 'look' }, 0],
    ] as const)
      assert.equal((await approvals.list(query)).items.length, count, JSON.stringify(query))
  })

  it('are decided by people only, about what they have seen; an edited call is sent as edited', async (t) => {
    const { records, ask, sent, approvals, list } = await place(t)
    await ask('r1')
    const [question] = (await open(approvals, 1)) as [ApprovalView]
    const { id, digest } = question
    const robot = approvalsOf(records, { ...person('robot'), kind: 'service' }, NO_POLICIES, list)
    const other = `sha256:${'0'.repeat(64)}`
    const args = { n: 2, name: 'r1' }
    for (const [approver, decision, code] of [
      [robot, { verdict: 'approve', digest }, 'PERSON_REQUIRED'],
      [robot, { verdict: 'deny' }, 'PERSON_REQUIRED'],
      [approvals, { verdict: 'approve', digest: other }, 'APPROVAL_CHANGED'],
      [approvals, { verdict: 'edit', arguments: args, digest: other }, 'APPROVAL_CHANGED'],
      [approvals, { verdict: 'edit', arguments: args }, 'APPROVAL_VERDICT_INVALID'],
      [approvals, { verdict: 'edit', digest }, 'APPROVAL_VERDICT_INVALID'],
      [approvals, { verdict: 'resend', digest }, 'APPROVAL_VERDICT_INVALID'],
    ] as const)
      assert.equal(await codeOf(approver.decide(id, decision)), code)
    assert.equal((await open(approvals, 1))[0]?.id, id)
    await approvals.decide(id, { verdict: 'edit', arguments: args, digest, why: 'two' })
    assert.deepEqual(await untilOver(records, ['r1']), ['completed'])
    assert.deepEqual(sent(), ['send {"n":2,"name":"r1"}'])
    assert.equal(await codeOf(approvals.decide(id, { verdict: 'approve' })), 'APPROVAL_DECIDED')
    const events = await records.runs.events('r1')
    const decided = events.find(({ fact }) => fact.type === 'person.decided')?.fact
    assert.deepEqual(decided?.type === 'person.decided' && decided.arguments, args)
  })
})
