import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { streamedChecksum, streamedState } from '../../src/state/stream/streamed-state.ts'
import { writeHandoff } from '../../src/state/stream/write-handoff.ts'
import { stateDigest, withStateChecksum } from '../../src/trust/checksum.ts'
import { issueMigrationToken, type MigrationClaims } from '../../src/trust/migration-token.ts'
import { clerk } from '../platform/laptop.ts'
import { type Answer, type MovingPlatform, movingSite } from '../platform/moving-site.ts'
import { AGENT } from '../platform/organisation.ts'

export type State = JsonObject & { readonly provenance: JsonObject; readonly state_id: string }

/** How a state arrives: each attack is made in both ways where both have its door. */
export const WAYS = ['document', 'stream'] as const
export type Way = (typeof WAYS)[number]

export interface Sent {
  readonly change?: Partial<MigrationClaims>
  readonly by?: KeyObject
  /** Bearer of the request; default: an admin of the organisation that is named by the token. */
  readonly bearer?: string
  /** Changes the state after its token was made; the checksum of the whole is made again. */
  readonly edit?: (document: State) => JsonObject
  /** Changes the token. */
  readonly forge?: (token: string) => string
}

/** A receiver with two organisations, and two pinned senders. The attacker has the key of the first one, or none. */
export interface MovingWorld {
  readonly a: MovingPlatform
  readonly b: MovingPlatform
  /** Admin of another organisation of the receiver, which has pinned the same sender. */
  readonly globex: string
  readonly run: string
  /** Of the pinned senders, of the receiver itself, and of none of them. */
  readonly keys: Readonly<Record<'first' | 'second' | 'receiver' | 'unpinned', KeyObject>>
  place(of: 'first' | 'second' | 'receiver' | 'globex'): string
  /** A state of the first sender. @param member members of its `x-waybill` */
  state(members?: JsonObject, member?: JsonObject): State
  token(document: State, way: Way, change?: Partial<MigrationClaims>, by?: KeyObject): Promise<string>
  /** Sends a state with its token. */
  send(way: Way, document: State, sent?: Sent): Promise<Answer>
  lines(document: State, token: string, chunkMessages?: number): readonly string[]
  /** Asserts that an act stores nothing about runs in any organisation of the receiver. */
  unchanged<T>(act: () => Promise<T>): Promise<T>
}

let world: Promise<MovingWorld> | undefined
const endings: (() => unknown)[] = []

/** Two platforms for all attacks. */
export function movingWorld(): Promise<MovingWorld> {
  world ??= open()
  return world
}

export async function closeMovingWorld(): Promise<void> {
  for (const end of endings) await end()
}

const now = () => Math.floor(Date.now() / 1000)

async function open(): Promise<MovingWorld> {
  // The world lives as long as its file of tests. Hooks run in their order, so that the platforms close before their databases.
  const t = { after: (end: () => unknown) => endings.push(end) } as unknown as TestContext
  const { a, b, baseUrl } = await movingSite(t)
  const agent = clerk(baseUrl) as { readonly agent: object }
  await a.upload(agent)
  await b.upload(agent)
  const second = generateKeyPairSync('ed25519')
  const places = {
    first: `${a.url}/organisations/default`,
    second: 'https://second.example/organisations/default',
    receiver: `${b.url}/organisations/default`,
    globex: `${b.url}/organisations/globex`,
  }
  await b.ok('DELETE', '/v1/peers/other')
  await b.pin(a, { users: { 'ada@a': 'ada', 'bob@a': 'bob' } })
  await b.ok('POST', '/v1/peers', {
    ...{ name: 'second', url: 'https://second.example', organisation: 'default', users: { 'eve@s': 'eve' } },
    keys: { keys: [second.publicKey.export({ format: 'jwk' })] },
  })
  const made = await b.ok('POST', '/v1/organisations', { organisation: 'globex', admin: { user: 'gus' } })
  const globex = made.admin_token.token as string
  const { json: keys } = await a.send('GET', '/.well-known/jwks.json')
  for (const [path, json] of [
    ['/v1/peers', { name: 'other', url: a.url, organisation: 'default', keys, users: null }],
    // The functions of the receiver are not for this organisation.
    ['/v1/agents', { ...agent, agent: { ...agent.agent, tools: [] } }],
  ] as const) {
    const answer = await b.send('POST', path, json, globex)
    assert.ok(answer.status < 300, JSON.stringify(answer.json))
  }
  const { run_id: run } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
    input: JSON.stringify({ tool: 'send', to: 'ada' }),
    wait_seconds: 10,
  })
  const captured = (await a.ok('GET', `/v1/runs/${run}/state`)) as State
  const first = homeKeys(a.home).signAudit()
  const token: MovingWorld['token'] = (document, way, change = {}, by = first) =>
    issueMigrationToken(
      {
        iss: places.first,
        aud: places.receiver,
        iat: now(),
        exp: now() + 900,
        jti: randomUUID(),
        state_id: document.state_id,
        agent_id: String(document.agent_id),
        run_id: String(document.run_id),
        digest:
          way === 'document'
            ? stateDigest(document)
            : streamedChecksum(streamedState(document as unknown as AgentState)),
        ...change,
      },
      by,
    )
  const lines: MovingWorld['lines'] = (document, of, chunkMessages = 100) => [
    ...writeHandoff(document as unknown as AgentState, { token: of, chunkMessages }),
  ]
  const rows = async () =>
    JSON.stringify([
      await b.sql('SELECT org, run_id FROM waybill.runs ORDER BY 1, 2'),
      await b.sql('SELECT org, jti, state FROM waybill.arrivals ORDER BY 1, 2'),
      await b.sql('SELECT org, session, user_id, run_id FROM waybill.conversations ORDER BY 1, 2'),
      await b.sql('SELECT count(*)::int FROM waybill.arriving_events'),
      await b.sql('SELECT count(*)::int FROM waybill.items'),
    ])
  return {
    a,
    b,
    globex,
    run,
    keys: {
      first,
      second: second.privateKey,
      receiver: homeKeys(b.home).signAudit(),
      unpinned: generateKeyPairSync('ed25519').privateKey,
    },
    place: (of) => places[of],
    state: (members = {}, member = {}) => ({
      ...captured,
      state_id: randomUUID(),
      status: 'migrating',
      ...members,
      'x-waybill': { ...(captured['x-waybill'] as JsonObject), ...member },
      provenance: { source_platform: places.first, source_runtime_version: '9.9.9' },
    }),
    token,
    lines,
    async send(way, document, { change, by, bearer, edit, forge } = {}) {
      const issued = await token(document, way, change, by)
      const of = forge?.(issued) ?? issued
      const edited = (edit?.(document) ?? document) as State
      if (way === 'stream') return b.handoff(lines(edited, of), undefined, bearer)
      const provenance = { ...edited.provenance, migration_token: of }
      return b.send('POST', '/v1/states', withStateChecksum({ ...edited, provenance }), bearer)
    },
    async unchanged(act) {
      const before = await rows()
      const result = await act()
      assert.equal(await rows(), before)
      return result
    },
  }
}
