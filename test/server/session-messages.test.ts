import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '../../src/http/route.ts'
import type { Tenant } from '../../src/platform/platform.ts'
import { SESSION_ROUTES } from '../../src/platform/sessions/routes.ts'

const send = SESSION_ROUTES.find(({ name }) => name === 'sendMessage')

/** Sends a message to a session whose run has this status after the wait. */
async function answered(body: object, status: string, resourceId?: string) {
  const waits: number[] = []
  const seen: unknown[] = []
  const ids: (string | undefined)[] = []
  const session = { session: 's', agent_id: 'a', run_id: 'r', status: 'queued', queued: 0, created_at: '' }
  const tenant = {
    sessions: {
      send: async (_session: string, message: unknown, id?: string) => {
        seen.push(message)
        ids.push(id)
        return session
      },
      read: async () => ({ ...session, status }),
    },
    runs: {
      settled: async (_run: string, ms: number) => {
        waits.push(ms)
        return { run_id: 'r', agent_id: 'a', status, output: 'Hello.' }
      },
    },
  }
  const stopping = new AbortController().signal
  const call = { tenant, body, params: { session: 's' }, stopping, resourceId } as unknown as Call<Tenant>
  const answer = (await send?.handle(call)) as { status: number; json: Record<string, unknown> }
  return { ...answer, waits, seen, ids }
}

test('a message waits for the end of its turn as a run does, and the answer has the run', async () => {
  const ended = await answered({ input: 'hi', wait_seconds: 2 }, 'completed')
  assert.deepEqual([ended.status, ended.waits, ended.seen], [200, [2000], [{ input: 'hi' }]])
  assert.deepEqual(ended.json.run, { run_id: 'r', agent_id: 'a', status: 'completed', output: 'Hello.' })
  assert.equal(ended.json.status, 'completed')
  const waiting = await answered({ input: 'hi', wait_seconds: 2 }, 'awaiting_approval')
  assert.deepEqual(
    [waiting.status, waiting.json.status, waiting.json.run],
    [202, 'awaiting_approval', undefined],
  )
  const none = await answered({ input: 'hi' }, 'completed')
  assert.deepEqual([none.status, none.waits], [202, []])
})

test('a message has the id of its request, so that a request that is performed again is the same message', async () => {
  const sent = await answered({ input: 'hi' }, 'completed', 'm1')
  assert.deepEqual([sent.ids, sent.seen], [['m1'], [{ input: 'hi' }]])
})
