import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { approvalsSite } from '../platform/approvals-site.ts'
import { until } from '../platform/leg-place.ts'
import type { Received } from '../server/served.ts'

/** A platform with members who may start runs and decide, and a policy that keeps starters from deciding. */
export interface MemberWorld {
  readonly agent: string
  readonly database: Awaited<ReturnType<typeof approvalsSite>>['database']
  /** Sends a request of a member, or with a token. */
  as(who: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown): Promise<Received>
  /** The same, and the request must succeed. @returns its answer */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of any answer
  done(who: string, path: string, json?: unknown, method?: 'POST' | 'PUT' | 'GET'): Promise<any>
  /** Starts a run that asks. @returns the run and its question */
  asks(who: string): Promise<{ readonly run: string; readonly question: string }>
  questionOf(run: string): Promise<string>
  /** Asserts that a member, or a token, cannot decide a question in any way, and that it stays open. */
  cannotDecide(who: string, question: string): Promise<void>
}

let world: Promise<MemberWorld> | undefined
const endings: (() => unknown)[] = []

/** One platform for all attacks. */
export function memberWorld(): Promise<MemberWorld> {
  world ??= open()
  return world
}

export async function closeMemberWorld(): Promise<void> {
  for (const end of endings) await end()
}

const WAYS = [
  { verdict: 'approve' },
  { verdict: 'deny' },
  { verdict: 'resend' },
  { verdict: 'assume', result: 'done' },
  { verdict: 'approve', rule: { uses: 1 } },
]

async function open(): Promise<MemberWorld> {
  // The world lives as long as its file of tests. Hooks run in their order, so that the platform closes before its database.
  const t = { after: (end: () => unknown) => endings.push(end) } as unknown as TestContext
  const site = await approvalsSite(t)
  const { send, make, get, admin, agent, database } = site
  await site.upload('1.0.0')
  const tokens = new Map<string, string>([['admin', admin]])
  for (const [user, roles] of Object.entries({
    ann: ['operator', 'approver'],
    bob: ['operator', 'approver'],
    sam: ['approver'],
    root: ['admin'],
  })) {
    await make('/v1/organisations/default/members', { user, roles })
    tokens.set(user, (await make('/v1/tokens', { user })).token)
  }
  const policy = { starter_may_decide: false }
  assert.equal((await send('PUT', '/v1/approval-policies/four', { token: admin, json: policy })).status, 200)
  const as: MemberWorld['as'] = (who, method, path, json) =>
    send(method, path, { token: tokens.get(who) ?? who, ...(json !== undefined && { json }) })
  const done: MemberWorld['done'] = async (who, path, json, method = 'POST') => {
    const answer = await as(who, method, path, json)
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  const questionOf = async (run: string): Promise<string> => {
    let found: { readonly id: string } | undefined
    await until(async () => {
      found = (await get(`/v1/approvals?run_id=${run}`)).items[0]
      return found !== undefined
    })
    return found?.id ?? ''
  }
  return {
    agent,
    database,
    as,
    done,
    questionOf,
    async asks(who) {
      const input = JSON.stringify({ tool: 'send', to: who })
      const { run_id: run } = await done(who, `/v1/agents/${agent}/runs`, { input })
      return { run, question: await questionOf(run) }
    },
    async cannotDecide(who, question) {
      for (const way of WAYS) {
        const { status, text } = await as(who, 'POST', `/v1/approvals/${question}`, way)
        assert.ok(status >= 400, `${JSON.stringify(way)}: ${text}`)
      }
      const bulk = await as(who, 'POST', '/v1/approvals', {
        items: WAYS.map((way) => ({ ...way, id: question })),
      })
      if (bulk.status < 300) for (const item of bulk.json.items) assert.ok(item.status >= 400, bulk.text)
      assert.equal((await get(`/v1/approvals/${question}`)).state, 'open')
    },
  }
}
