import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { messageTokens } from '../../src/run/decide/prompt-tokens.ts'
import type { AgentState, StateMessage } from '../../src/spec/aaif/generated/state.ts'
import type { FidelityReport } from '../../src/state/fidelity.ts'
import { OUTLINE_MEMBER } from '../../src/state/sent-outline.ts'
import { streamedChecksum, streamedState } from '../../src/state/stream/streamed-state.ts'
import { writeHandoff } from '../../src/state/stream/write-handoff.ts'
import { stateDigest, withStateChecksum } from '../../src/trust/checksum.ts'
import { issueMigrationToken } from '../../src/trust/migration-token.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { definitionOf } from './organisation.ts'

/**
 * Agents whose models have a context window of 128,000 tokens, and one that is not known. The conversation of one that
 * handles personal data is gathered: what a name in it means depends on all others.
 */
const AGENTS = {
  'a known window': { id: '0198c0de-0000-7000-8000-000000000061', model: 'gpt-4o', pii: 'none' },
  'an unknown window': { id: '0198c0de-0000-7000-8000-000000000062', model: 'local-model', pii: 'none' },
  'personal data': { id: '0198c0de-0000-7000-8000-000000000063', model: 'local-model', pii: 'anonymize' },
} as const

const at = '2026-11-24T09:00:00.000Z'
const words = (n: number, size: number) => `${'word '.repeat(size / 5)}${n}, ada@example.com, [email:1]`

/** Turns with calls: what a message has besides is in `x-waybill`. */
function conversationOf(count: number, size: number): readonly StateMessage[] {
  return Array.from({ length: count }, (_, n): StateMessage => {
    const message =
      n % 3 === 0
        ? ({ role: 'user', content: words(n, size) } as const)
        : n % 3 === 1
          ? ({ role: 'assistant', content: words(n, size) } as const)
          : ({
              role: 'tool',
              content: JSON.stringify(words(n, size)),
              tool_call_id: `c${n - 1}`,
              tool_name: 'send',
            } as const)
    return { ...message, timestamp: at }
  })
}

const carriedOf = (conversation: readonly StateMessage[]) =>
  conversation.flatMap(({ role }, n) =>
    role === 'assistant' ? [{ at: n, calls: [{ id: `c${n}`, tool: 'send', args: { n } }] }] : [],
  )

/** The events of a run without what differs between two runs: ids and times. */
async function recordOf(platform: MovingPlatform, runId: string): Promise<readonly unknown[]> {
  const rows = await platform.sql('SELECT seq, line FROM waybill.events WHERE run_id = $1 ORDER BY seq', [
    runId,
  ])
  return rows.map(({ seq, line }) => [
    seq,
    String(line)
      .replaceAll(runId, 'RUN')
      .replaceAll(/"(?:at|asked_at|deadline_at|started_at)":\d+/g, '"at":0'),
  ])
}

/** A stream has a position also where the document has none: it is empty, and kept. */
function partsOf({ entries }: FidelityReport): FidelityReport['entries'] {
  return entries.filter(({ part, status }) => part !== 'pipeline_position' || status !== 'kept')
}

describe('a state that arrives as a stream', { skip: noCertificates }, () => {
  test('leads to the record that the same document leads to', async (t) => {
    const { a, b, baseUrl } = await movingSite(t)
    for (const [name, { id, model, pii }] of Object.entries(AGENTS)) {
      const agent = definitionOf(
        {
          name: `Clerk with ${name}`,
          version: '1.0.0',
          model: { provider: 'openai', preferred: model, base_url: baseUrl },
          tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
          compliance: { audit_log: true, pii_handling: pii },
        },
        { agent_id: id },
      )
      for (const platform of [a, b]) await platform.upload(agent)
    }
    const key = homeKeys(a.home).signAudit()
    const place = (url: string) => `${url}/organisations/default`
    const templates = new Map<string, JsonObject>()
    for (const [name, { id }] of Object.entries(AGENTS)) {
      const { run_id } = await a.ok('POST', `/v1/agents/${id}/runs`, { input: 'hello' })
      await a.reaches(run_id, 'completed')
      templates.set(name, await a.ok('GET', `/v1/runs/${run_id}/state`))
    }
    const stateOf = (name: string, conversation: readonly StateMessage[]): JsonObject => {
      const template = templates.get(name) as JsonObject & { readonly 'x-waybill': JsonObject }
      const member = template['x-waybill']
      return {
        ...template,
        state_id: randomUUID(),
        run_id: randomUUID(),
        status: 'migrating',
        conversation: conversation as unknown as JsonObject[],
        provenance: { source_platform: place(a.url), source_runtime_version: '9.9.9' },
        'x-waybill': {
          ...member,
          messages: carriedOf(conversation),
          run: { ...(member.run as JsonObject), status: 'paused', end: null },
        },
      } as unknown as JsonObject
    }
    const tokenOf = (state: JsonObject, digest: string) => {
      const iat = Math.floor(Date.now() / 1000)
      return issueMigrationToken(
        {
          iss: place(a.url),
          aud: place(b.url),
          iat,
          exp: iat + 900,
          jti: randomUUID(),
          state_id: String(state.state_id),
          agent_id: String(state.agent_id),
          run_id: String(state.run_id),
          digest,
        },
        key,
      )
    }
    const asDocument = async (state: JsonObject) => {
      const migration_token = await tokenOf(state, stateDigest(state))
      const provenance = { ...(state.provenance as JsonObject), migration_token }
      return b.send('POST', '/v1/states?resume=false', withStateChecksum({ ...state, provenance }))
    }
    const linesOf = async (state: JsonObject) => {
      const document = state as unknown as AgentState
      const token = await tokenOf(state, streamedChecksum(streamedState(document)))
      return [...writeHandoff(document, { token })]
    }
    const auditOf = async (runId: string) => {
      const rows = await b.sql(`SELECT line FROM waybill.audit WHERE line LIKE '%' || $1 || '%' ORDER BY n`, [
        runId,
      ])
      return rows.map(({ line }) => {
        const { kind, seq } = JSON.parse(String(line)).fact
        return [kind, seq]
      })
    }
    const staged = () => b.sql('SELECT 1 FROM waybill.arriving_events')

    for (const [name, { pii }] of Object.entries(AGENTS))
      for (const [count, size, of = ''] of [
        [0, 10],
        [7, 10],
        [600, 10],
        [603, 2500],
        // Of another runtime.
        [7, 10, ', foreign'],
        [603, 2500, ', foreign'],
      ] as const)
        await t.test(`${name}, ${count} messages of ${size} characters${of} (AAIF-8.3-12)`, async () => {
          const whole = stateOf(name, conversationOf(count, size))
          const { 'x-waybill': _, ...foreign } = whole
          const state = of === '' ? whole : foreign
          const document = await asDocument(state)
          assert.equal(document.status, 201, JSON.stringify(document.json))
          const lines = await linesOf(state)
          const path = '/v1/handoff?resume=false'
          const answers = [
            await b.handoff(lines, undefined, undefined, '?resume=false'),
            await b.socket(await linesOf(state), { path }),
          ]
          const expected = await recordOf(b, document.json.run_id)
          for (const { json } of answers) {
            assert.deepEqual(partsOf(json.report), partsOf(document.json.report), JSON.stringify(json))
            assert.deepEqual(await recordOf(b, json.run_id), expected)
            assert.deepEqual(await auditOf(json.run_id), await auditOf(document.json.run_id))
            const sealed = 'SELECT count(*)::int AS n FROM waybill.sealed WHERE root = $1'
            assert.deepEqual(await b.sql(sealed, [json.run_id]), await b.sql(sealed, [document.json.run_id]))
            assert.equal(await b.status(json.run_id), 'paused')
          }
          if (count > 0) assert.equal(JSON.stringify(expected).includes('ada@example'), pii === 'none')
          assert.deepEqual(await staged(), [])
        })

    await t.test(
      'a long conversation is stored while it arrives, and removed if the end is missing',
      async () => {
        const lines = await linesOf(stateOf('an unknown window', conversationOf(1800, 2500)))
        const runs = await b.sql('SELECT count(*)::int AS n FROM waybill.runs')
        let most = 0
        const socket = b.cutSocket(lines.slice(0, -1), async () => {
          for (let n = 0; n < 500 && most === 0; n++) {
            most = (await staged()).length
            await new Promise((resolve) => setTimeout(resolve, 10))
          }
        })
        await socket
        assert.ok(most > 0, 'no event was stored before the end')
        for (let n = 0; n < 500 && (await staged()).length > 0; n++)
          await new Promise((resolve) => setTimeout(resolve, 10))
        assert.deepEqual(await staged(), [])
        assert.deepEqual(await b.sql('SELECT count(*)::int AS n FROM waybill.runs'), runs)
      },
    )

    await t.test(
      'a secret in a part of the conversation is refused as in a document (AAIF-4.4-10)',
      async () => {
        const secret = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}`
        const state = stateOf('an unknown window', [
          ...conversationOf(300, 10),
          { role: 'user', content: secret, timestamp: at },
        ])
        const document = await asDocument(state)
        const stream = await b.handoff(await linesOf(state))
        assert.equal(stream.json.code, document.json.code)
        assert.ok(stream.status >= 400 && stream.status < 500, JSON.stringify(stream.json))
        assert.deepEqual(await staged(), [])
      },
    )

    for (const name of ['a known window', 'an unknown window'])
      await t.test(`${name}: an outline has the report of the whole, and cannot be continued`, async () => {
        const conversation = conversationOf(603, 2500)
        const whole = stateOf(name, conversation)
        const { messages } = whole['x-waybill'] as unknown as {
          readonly messages: ReturnType<typeof carriedOf>
        }
        const calls = new Map(messages.map((one) => [one.at, one.calls]))
        const tokens = conversation.map((one, n) =>
          one.role === 'tool'
            ? messageTokens({
                role: 'tool',
                call_id: one.tool_call_id ?? '',
                tool: one.tool_name ?? '',
                result: JSON.parse(one.content),
              })
            : messageTokens(
                one.role === 'assistant'
                  ? { role: 'assistant', text: one.content, calls: calls.get(n) ?? [] }
                  : { role: 'user', text: one.content },
              ),
        )
        const outline = {
          ...whole,
          conversation: [],
          'x-waybill': { ...(whole['x-waybill'] as JsonObject), messages: [] },
          [OUTLINE_MEMBER]: { roles: conversation.map(({ role }) => role[0]).join(''), tokens },
        }
        const dry = (state: JsonObject) =>
          b.ok('POST', '/v1/states?dry_run=true', withStateChecksum(state) as unknown as JsonObject)
        assert.deepEqual((await dry(outline)).report, (await dry(whole)).report)
        const refused = await asDocument(outline)
        assert.deepEqual([refused.status, refused.json.code], [422, 'STATE_NOT_RESUMABLE'])
      })
  })
})
