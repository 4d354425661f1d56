import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaybillError } from '../../src/document/issue.ts'
import { askReceiver } from '../../src/platform/moves/ask-receiver.ts'
import type { PeerPort } from '../../src/platform/moves/peer-client.ts'
import type { StateMessage } from '../../src/spec/aaif/generated/state.ts'

const PEER = { name: 'other', url: 'https://other.example', organisation: 'default', token: 't' }
const MOVE = { jti: 'j', phase: 'sending', method: 'stream', target: 'x', checksum: 'c' } as const
const DOCUMENT = JSON.stringify({
  sc_standard: 'SC-006',
  state_id: 's',
  agent_id: 'a',
  status: 'migrating',
  checkpoint_at: '2026-01-01T00:00:00Z',
  provenance: { source_platform: 'x', migration_token: 'a.b.c' },
})

/** Returns the lines that the other platform has received when the stream ends or breaks. */
async function received(conversation: AsyncIterable<readonly StateMessage[]>, document = DOCUMENT) {
  const lines: { readonly type: string; readonly code?: string; readonly message?: string }[] = []
  const port: PeerPort = {
    async request(_url, { body }) {
      for await (const line of body as AsyncIterable<string>) lines.push(JSON.parse(line))
      return { status: 201, text: '{}' }
    },
  }
  const { signal } = new AbortController()
  const answer = askReceiver(port, PEER, MOVE, document, signal, conversation)
  await answer.catch(() => {})
  return lines
}

const said: StateMessage = { role: 'user', content: 'x'.repeat(70_000) }

test('AAIF-8.3-15: a stream that cannot be completed ends with handoff_error, and its reason has no contents', async () => {
  for (const [problem, code] of [
    [new WaybillError('RECORD_DAMAGED', { message: 'the record of ada is damaged' }), 'RECORD_DAMAGED'],
    [new Error('ENOSPC on /home/ada'), 'HANDOFF_FAILED'],
  ] as const) {
    const lines = await received(
      (async function* () {
        yield [said, said]
        throw problem
      })(),
    )
    assert.deepEqual(
      lines.map(({ type }) => type),
      ['handoff_init', 'context_chunk', 'handoff_error'],
    )
    assert.equal(lines.at(-1)?.code, code)
    assert.doesNotMatch(String(lines.at(-1)?.message), /ada/)
  }
})

test('AAIF-8.3-15: a stream that is complete has none', async () => {
  const lines = await received(
    (async function* () {
      yield [said]
    })(),
  )
  assert.equal(lines.at(-1)?.type, 'handoff_complete')
})
