import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { CompactSign, decodeJwt, decodeProtectedHeader } from 'jose'
import { homeKeys } from '../../src/compose/home-keys.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { HANDOFF_TYPE, streamedChecksum, streamedState } from '../../src/state/stream/streamed-state.ts'
import { handoffError, writeHandoff } from '../../src/state/stream/write-handoff.ts'
import { stateDigest, withStateChecksum } from '../../src/trust/checksum.ts'
import { issueMigrationToken, type MigrationClaims } from '../../src/trust/migration-token.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { serveFake } from '../server/served.ts'
import { until } from './leg-place.ts'
import { movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { onServer } from './postgres.ts'

type State = JsonObject & { readonly provenance: JsonObject; readonly state_id: string }

const now = () => Math.floor(Date.now() / 1000)

describe('a state that arrives', { skip: noCertificates }, () => {
  test('is continued only if checksum, token and agent are right', async (t) => {
    const { a, b, baseUrl } = await movingSite(t)
    const agent = definitionOf({
      version: '1.0.0',
      model: { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl },
      tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
      compliance: { human_in_the_loop: { enabled: true }, audit_log: true },
    })
    await a.upload(agent)
    await b.upload(agent)
    const key = homeKeys(a.home).signAudit()
    const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
      input: JSON.stringify({ tool: 'send', to: 'ada' }),
      wait_seconds: 10,
    })
    const place = (url: string) => `${url}/organisations/default`
    const captured = (await a.ok('GET', `/v1/runs/${run_id}/state`)) as State
    const state = (members: JsonObject = {}): State => ({
      ...captured,
      state_id: randomUUID(),
      status: 'migrating',
      ...members,
      provenance: { source_platform: place(a.url), source_runtime_version: '9.9.9' },
    })
    const tokenFor = (document: State, change: Partial<MigrationClaims>, by: KeyObject) =>
      issueMigrationToken(
        {
          iss: place(a.url),
          aud: place(b.url),
          iat: now(),
          exp: now() + 900,
          jti: randomUUID(),
          state_id: document.state_id,
          agent_id: String(document.agent_id),
          run_id,
          digest: stateDigest(document),
          ...change,
        },
        by,
      )
    const signed = async (
      document: State,
      change: Partial<MigrationClaims> = {},
      by: KeyObject = key,
    ): Promise<JsonObject> => {
      const token = await tokenFor(document, change, by)
      const provenance = { ...document.provenance, migration_token: token }
      return withStateChecksum({ ...document, provenance })
    }
    const post = (document: JsonObject, token?: string) => b.send('POST', '/v1/states', document, token)
    const unchanged = async (what: string) => {
      const rows = await b.sql(
        `SELECT (SELECT count(*)::int FROM waybill.runs) AS runs, (SELECT count(*)::int FROM waybill.arrivals) AS arrivals`,
      )
      assert.deepEqual(rows, [{ runs: 0, arrivals: 0 }], what)
    }

    const other = generateKeyPairSync('ed25519').privateKey
    // A second platform that is pinned as well, with a key of its own.
    const second = generateKeyPairSync('ed25519')
    const jwk = second.publicKey.export({ format: 'jwk' })
    await b.ok('POST', '/v1/peers', {
      ...{ name: 'second', url: 'https://second.example', organisation: 'default' },
      keys: { keys: [jwk] },
      users: null,
    })
    const ofSecond = place('https://second.example')
    const from = (document: State, source_platform: string): State => ({
      ...document,
      provenance: { ...document.provenance, source_platform },
    })
    const changed = (document: JsonObject, members: JsonObject) => ({ ...document, ...members })
    const refusals: readonly (readonly [what: string, code: string, document: () => Promise<JsonObject>])[] =
      [
        ['no token', 'STATE_TOKEN_MISSING', async () => withStateChecksum(state())],
        [
          'changed variables',
          'STATE_CHECKSUM_MISMATCH',
          async () => changed(await signed(state()), { variables: { x: 1 } }),
        ],
        [
          'no checksum',
          'STATE_CHECKSUM_MISSING',
          async () => {
            const document = (await signed(state())) as State
            const { checksum: _, ...provenance } = document.provenance
            return { ...document, provenance }
          },
        ],
        [
          'an expired token',
          'STATE_TOKEN_EXPIRED',
          () => signed(state(), { iat: now() - 901, exp: now() - 1 }),
        ],
        [
          'a token of the future',
          'STATE_TOKEN_INVALID',
          () => signed(state(), { iat: now() + 180, exp: now() + 240 }),
        ],
        [
          'another audience',
          'STATE_TOKEN_INVALID',
          () => signed(state(), { aud: place('https://else.example') }),
        ],
        [
          'another organisation',
          'STATE_TOKEN_INVALID',
          () => signed(state(), { aud: `${b.url}/organisations/globex` }),
        ],
        [
          'another issuer',
          'STATE_TOKEN_INVALID',
          () => signed(state(), { iss: place('https://else.example') }),
        ],
        ['another run', 'STATE_TOKEN_INVALID', () => signed(state(), { run_id: randomUUID() })],
        ['another state', 'STATE_TOKEN_INVALID', () => signed(state(), { state_id: randomUUID() })],
        ['another agent', 'STATE_TOKEN_INVALID', () => signed(state(), { agent_id: randomUUID() })],
        [
          'another content, with a new checksum',
          'STATE_TOKEN_INVALID',
          async () => withStateChecksum(changed(await signed(state()), { variables: { x: 1 } })),
        ],
        ['an unknown key', 'STATE_TOKEN_UNKNOWN_SIGNER', () => signed(state(), {}, other)],
        [
          'a pinned platform in the name of another pinned one',
          'STATE_TOKEN_UNKNOWN_SIGNER',
          () => signed(state(), {}, second.privateKey),
        ],
        [
          'a state that says that it comes from another pinned platform',
          'STATE_TOKEN_UNKNOWN_SIGNER',
          () => signed(from(state(), ofSecond)),
        ],
        [
          'a token of a pinned platform for a state of another one',
          'STATE_TOKEN_INVALID',
          () => signed(from(state(), ofSecond), { iss: place(a.url) }, second.privateKey),
        ],
        ['an agent that is not here', 'AGENT_NOT_FOUND', () => signed(state({ agent_id: randomUUID() }))],
        [
          'a run that has ended',
          'STATE_NOT_RESUMABLE',
          () => {
            const { approval_request: _, ...document } = state({ status: 'completed' })
            return signed(document as State)
          },
        ],
        [
          'text instead of a token',
          'STATE_TOKEN_UNKNOWN_SIGNER',
          async () => {
            const document = state()
            return withStateChecksum({
              ...document,
              provenance: { ...document.provenance, migration_token: 'x.y.z' },
            })
          },
        ],
      ]
    for (const [what, code, document] of refusals)
      await t.test(`AAIF-8.2-04: ${what} is ${code}, and nothing is stored`, async () => {
        const body = JSON.parse(JSON.stringify(await document()))
        const answer = await post(body)
        const expected = what === 'text instead of a token' ? ['STATE_TOKEN_INVALID', code] : [code]
        assert.ok(expected.includes(answer.json.code), JSON.stringify(answer.json))
        assert.ok(answer.status >= 400 && answer.status < 500)
        await unchanged(what)
      })

    await t.test('a name that is written twice is refused, whatever checksum and token say', async () => {
      const text = JSON.stringify(await signed(state()))
      for (const body of [
        text.replace('{', '{"variables":{"x":1},'),
        text.replace('{', `{"st\\u0061tus":"migrating",`),
        text.replace('"provenance":{', '"provenance":{"migration_token":"x.y.z",'),
      ]) {
        const { status, json } = await b.raw('/v1/states', body)
        assert.deepEqual(
          [status, json.issues?.[0]?.code ?? json.code],
          [400, 'DUPLICATE_KEY'],
          JSON.stringify(json),
        )
      }
      await unchanged('a name twice')
    })

    await t.test(
      'a user of another platform is looked up by its own name, and no member of objects is one',
      async () => {
        await b.ok('DELETE', '/v1/peers/other')
        await b.pin(a, { users: { 'ada@a': 'ada' } })
        for (const user of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'bob@a']) {
          const document = state()
          const served = { ...document, 'x-waybill': { ...(document['x-waybill'] as JsonObject), user } }
          const answer = await post(await signed(served as State))
          assert.deepEqual(
            [answer.status, answer.json.code],
            [422, 'STATE_USER_UNKNOWN'],
            JSON.stringify(answer),
          )
        }
        await b.ok('DELETE', '/v1/peers/other')
        await b.pin(a)
        await unchanged('an unknown user')
      },
    )

    await t.test('a session of another user is not taken over', async () => {
      // The conversation of bob has moved away, so that a run of bob could continue it here.
      await b.sql(
        `INSERT INTO waybill.conversations (org, session, agent_id, user_id) VALUES ('default', 's-bob', $1, 'bob')`,
        [AGENT],
      )
      const document = state()
      const ofUser = (user: string, session: string) => {
        const member = { ...(document['x-waybill'] as JsonObject), user, session }
        return signed({ ...document, state_id: randomUUID(), 'x-waybill': member } as State)
      }
      const answer = await post(await ofUser('ada', 's-bob'))
      assert.deepEqual(
        [answer.status < 500, answer.json.code],
        [true, 'SESSION_EXISTS'],
        JSON.stringify(answer),
      )
      await unchanged('a session of another user')
      assert.deepEqual(await b.sql('SELECT user_id, run_id FROM waybill.conversations'), [
        { user_id: 'bob', run_id: null },
      ])
      await b.sql('DELETE FROM waybill.conversations')
    })

    await t.test('AAIF-8.2-01: a run that was not paused is not taken over', async () => {
      const { approval_request: asked, ...rest } = state()
      for (const [status, code] of [
        ['running', 'STATE_NOT_PAUSED'],
        ['awaiting_approval', 'STATE_NOT_PAUSED'],
        ['awaiting_tool_result', 'STATE_NOT_PAUSED'],
        ['paused', undefined],
        ['migrating', undefined],
      ] as const) {
        const members = { status, ...(status === 'awaiting_approval' && { approval_request: asked }) }
        const document = await signed({ ...rest, ...members } as State)
        const { json } = await b.send('POST', '/v1/states?dry_run=true', document)
        assert.equal(json.code, code, JSON.stringify(json))
      }
      await unchanged('a dry run')
    })

    await t.test('a token that is withdrawn first is used up', async () => {
      const jti = randomUUID()
      assert.deepEqual(await b.ok('DELETE', `/v1/migrations/${jti}`), {
        state: 'refused',
        owner: null,
        run_id: null,
        place: place(b.url),
      })
      const answer = await post(await signed(state(), { jti }))
      assert.deepEqual([answer.status, answer.json.code], [409, 'STATE_TOKEN_USED'])
      assert.equal((await b.ok('GET', `/v1/migrations/${jti}`)).state, 'refused')
    })

    await t.test('only the role operator may send one', async () => {
      await b.ok('POST', '/v1/organisations/default/members', {
        user: 'eve',
        roles: ['viewer', 'approver', 'author'],
      })
      const { token } = await b.ok('POST', '/v1/tokens', { user: 'eve' })
      const document = await signed(state())
      for (const [method, path] of [
        ['POST', '/v1/states'],
        ['DELETE', `/v1/migrations/${randomUUID()}`],
        ['POST', `/v1/runs/${run_id}/migrate`],
        ['POST', '/v1/peers'],
        ['DELETE', '/v1/peers/other'],
      ] as const)
        assert.equal(
          (await b.send(method, path, method === 'POST' ? document : undefined, token)).json.code,
          'ROLE_MISSING',
          path,
        )
    })

    await t.test(
      'AAIF-12-10: a right one is imported once, also if it is sent five times at once',
      async () => {
        const jti = randomUUID()
        const document = await signed(state(), { jti })
        const answers = await Promise.all(Array.from({ length: 5 }, () => post(document)))
        const made = answers.filter(({ status }) => status === 201)
        assert.equal(made.length, 1, JSON.stringify(answers))
        assert.deepEqual(
          answers.filter(({ status }) => status !== 201).map(({ json }) => json.code),
          Array(4).fill('STATE_TOKEN_USED'),
        )
        const there = made[0]?.json.run_id
        assert.deepEqual(await b.ok('GET', `/v1/migrations/${jti}`), {
          state: 'owned_here',
          owner: place(b.url),
          run_id: there,
          place: place(b.url),
        })
        assert.equal((await b.ok('GET', '/v1/runs')).items.length, 1)
        await b.reaches(there, 'awaiting_approval')
      },
    )

    await t.test('without its audit entry, a state leaves no run, no leg and no used token', async () => {
      const rows = async () =>
        b.sql(`SELECT (SELECT count(*)::int FROM waybill.runs) AS runs, (SELECT count(*)::int FROM waybill.arrivals) AS arrivals,
          (SELECT count(*)::int FROM waybill.progress WHERE phase IN ('queued', 'slot', 'held')) AS legs,
          (SELECT count(*)::int FROM waybill.commands) AS commands`)
      const isParked = async () =>
        (await b.sql(`SELECT FROM waybill.progress WHERE phase <> 'parked'`)).length === 0
      await until(isParked)
      const before = await rows()
      // An entry that is stored after a leg, or a command that queues one, is accepted: then the order is wrong.
      const refuse = (entries: string) =>
        onServer(
          b.ownerUrl,
          `CREATE OR REPLACE FUNCTION waybill.refuse_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
           BEGIN
             IF NEW.line::json -> 'fact' ->> 'kind' ${entries} AND NOT EXISTS (
               SELECT FROM waybill.progress WHERE phase = 'queued') AND NOT EXISTS (SELECT FROM waybill.commands) THEN
               RAISE EXCEPTION 'no entry';
             END IF;
             RETURN NEW;
           END $$`,
          `CREATE OR REPLACE TRIGGER refuse_entry BEFORE INSERT ON waybill.audit FOR EACH ROW EXECUTE FUNCTION waybill.refuse_entry()`,
        )
      const waiting = await signed(state())
      const paused = await signed({ ...state(), status: 'paused' } as State, { continues: true })
      // The entry of the import, and those of the events that are stored with the run.
      for (const document of [waiting, paused])
        for (const entries of [`= 'run.received'`, `<> 'run.received'`]) {
          await refuse(entries)
          const { status, json } = await post(document)
          assert.ok(status >= 500, `${entries}: ${JSON.stringify(json)}`)
          assert.deepEqual(await rows(), before, entries)
        }
      await onServer(b.ownerUrl, 'DROP TRIGGER refuse_entry ON waybill.audit')
      assert.equal((await post(waiting)).status, 201, 'the token was not used up')
    })

    await t.test('a streaming handoff is verified in the same way', async (t) => {
      const before = await b.sql('SELECT count(*)::int AS runs FROM waybill.runs')
      const handoff = async (change: Partial<MigrationClaims> = {}, members: JsonObject = {}) => {
        const document = state(members) as unknown as AgentState
        const token = await tokenFor(
          document as unknown as State,
          { digest: streamedChecksum(streamedState(document)), ...change },
          key,
        )
        return [...writeHandoff(document, { token })]
      }
      const cases: readonly (readonly [
        what: string,
        code: string,
        lines: () => Promise<readonly string[]>,
        type?: string,
      ])[] = [
        [
          'an expired token (AAIF-8.3-06)',
          'STATE_TOKEN_EXPIRED',
          () => handoff({ iat: now() - 901, exp: now() - 1 }),
        ],
        ['another audience', 'STATE_TOKEN_INVALID', () => handoff({ aud: place('https://else.example') })],
        [
          'another content than the token is for',
          'STATE_TOKEN_INVALID',
          () => handoff({ digest: '0'.repeat(64) }),
        ],
        [
          'a used token',
          'STATE_TOKEN_USED',
          async () => {
            const jti = randomUUID()
            await b.ok('DELETE', `/v1/migrations/${jti}`)
            return handoff({ jti })
          },
        ],
        [
          'a flipped digit (AAIF-8.3-10)',
          'STATE_CHECKSUM_MISMATCH',
          async () => {
            const lines = await handoff()
            return [
              ...lines.slice(0, -1),
              `${JSON.stringify({ type: 'handoff_complete', checksum: '0'.repeat(64) })}\n`,
            ]
          },
        ],
        ['no last line (AAIF-8.3-11)', 'HANDOFF_FAILED', async () => (await handoff()).slice(0, -1)],
        [
          'handoff_error (AAIF-8.3-08)',
          'HANDOFF_FAILED',
          async () => [...(await handoff()).slice(0, 2), handoffError('X', 'y')],
        ],
        ['an unknown agent', 'AGENT_NOT_FOUND', () => handoff({}, { agent_id: randomUUID() })],
        [
          'another media type (AAIF-8.3-01)',
          'MEDIA_TYPE_UNSUPPORTED',
          () => handoff(),
          'application/x-ndjson',
        ],
        [
          'a media type with a parameter (AAIF-8.3-01)',
          'MEDIA_TYPE_UNSUPPORTED',
          () => handoff(),
          `${HANDOFF_TYPE}; charset=utf-8`,
        ],
      ]
      const storedStill = async () => {
        assert.deepEqual(await b.sql('SELECT count(*)::int AS runs FROM waybill.runs'), before)
        assert.deepEqual(await b.sql('SELECT 1 FROM waybill.arriving_events'), [])
      }
      for (const [what, code, lines, type] of cases)
        await t.test(`${what} is ${code}, and nothing is stored`, async () => {
          const answer = await b.handoff(await lines(), type)
          assert.equal(answer.json.code, code, JSON.stringify(answer.json))
          await storedStill()
        })
      for (const [what, code, lines] of cases.filter(([, , , type]) => type === undefined))
        await t.test(`over WSS, ${what} is ${code}, and nothing is stored`, async () => {
          // Without its last message, a WebSocket that stays open is not at its end.
          const sent = await lines()
          if (code === 'HANDOFF_FAILED' && what.startsWith('no last line')) {
            await b.cutSocket(sent)
            return storedStill()
          }
          const { status, json } = await b.socket(sent)
          assert.deepEqual([status, json.code], [1008, code], JSON.stringify(json))
          assert.ok(json.status >= 400 && json.status < 500)
          await storedStill()
        })
      await t.test('over WSS, a message is one line of text', async () => {
        const [first = '', ...rest] = await handoff()
        for (const lines of [
          [Buffer.from(first), ...rest],
          [first, `${rest[0]?.trim()}\n${rest[1]?.trim()}`, ...rest.slice(2)],
          [first, '', ...rest],
          // AAIF-8.3-13
          [first, ...rest, rest.at(-1) ?? ''],
          [first, ...rest, rest[0] ?? ''],
        ]) {
          const { status, json } = await b.socket(lines)
          assert.deepEqual([status, json.code], [1008, 'HANDOFF_FAILED'])
        }
        // More than a line may have: the connection is closed without an answer.
        const long = await b.socket([first, 'x'.repeat(16 * 1024 * 1024 + 1)])
        assert.deepEqual(long, { status: 1009, json: null })
        await storedStill()
      })
      await t.test(
        'a WebSocket is opened only with a token of the role operator, and only there',
        async () => {
          const lines = await handoff()
          await b.ok('POST', '/v1/organisations/default/members', { user: 'sam', roles: ['viewer'] })
          const { token } = await b.ok('POST', '/v1/tokens', { user: 'sam' })
          const { token: scoped } = await b.ok('POST', '/v1/tokens', { scopes: ['states:read'] })
          const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })
          const cookie = { headers: { cookie: '__Host-waybill=x', origin: b.url } }
          for (const [options, status, code] of [
            [{ headers: {} }, 401, 'TOKEN_REFUSED'],
            [cookie, 401, 'TOKEN_REFUSED'],
            [bearer('nonsense'), 401, 'TOKEN_REFUSED'],
            [bearer(token), 403, 'ROLE_MISSING'],
            [bearer(scoped), 403, 'SCOPE_MISSING'],
            [{ headers: { ...bearer(b.admin).headers, host: 'else.example' } }, 421, 'HOST_REFUSED'],
          ] as const) {
            const answer = await b.socket(lines, options)
            assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(options))
          }
          const elsewhere = await b.socket(lines, { path: '/v1/peers' })
          assert.equal(elsewhere.status, 200)
          assert.ok(Array.isArray(elsewhere.json.items))
          const plain = await b.send('GET', '/v1/handoff')
          assert.deepEqual([plain.status, plain.json.code], [422, 'REQUEST_INVALID'])
          await storedStill()
        },
      )
      await t.test('over WSS, a right one is imported once', async () => {
        const lines = await handoff()
        const first = await b.socket(lines)
        assert.equal(first.status, 1000, JSON.stringify(first.json))
        const second = await b.socket(lines)
        assert.deepEqual(
          [second.status, second.json.code, second.json.status],
          [1008, 'STATE_TOKEN_USED', 409],
        )
        await b.reaches(first.json.run_id, 'awaiting_approval')
      })
      await t.test('a right one is imported once (AAIF-8.3-12)', async () => {
        const lines = await handoff()
        const answers = [await b.handoff(lines), await b.handoff(lines)]
        assert.deepEqual(
          answers.map(({ status, json }) => [status, json.code]),
          [
            [201, undefined],
            [409, 'STATE_TOKEN_USED'],
          ],
        )
        const view = await b.reaches(answers[0]?.json.run_id, 'awaiting_approval')
        assert.equal(view.agent_id, AGENT)
      })
    })

    await t.test('AAIF-8.2-03: a file and a request have the same verdict', async () => {
      const file = join(a.home, 'state.json')
      const verdict = async (document: JsonObject) => {
        writeFileSync(file, JSON.stringify(document))
        const { code, out, err } = await b.command(['resume', file, '--json'])
        return { exit: code, code: JSON.parse(out).error?.code, out, err }
      }
      const documents = [
        await signed(state(), { exp: now() - 1, iat: now() - 10 }),
        await signed(state(), { aud: place('https://else.example') }),
        await signed(state(), {}, other),
        changed(await signed(state()), { variables: { x: 1 } }),
        withStateChecksum(state()),
      ]
      for (const document of documents) {
        const sent = await post(document)
        const fromFile = await verdict(document)
        assert.equal(fromFile.code, sent.json.code, JSON.stringify(sent.json))
        assert.notEqual(fromFile.exit, 0)
      }
      const imported = await verdict(await signed(state()))
      // It waits for a person there.
      assert.equal(imported.exit, 4, imported.out)
      assert.equal(JSON.parse(imported.out).status, 'awaiting_approval')
      const exported = await b.command(['state', 'export', JSON.parse(imported.out).run_id])
      assert.equal(JSON.parse(exported.out).status, 'awaiting_approval', exported.err)
    })

    await t.test('AAIF-8.2-02: a token for more than 15 minutes is neither issued nor taken', async () => {
      await assert.rejects(signed(state(), { exp: now() + 901 }), { code: 'STATE_TOKEN_INVALID' })
      // Of a signer with limits of its own, which is pinned here.
      const document = state()
      const { migration_token: token = '' } = (await signed(document)).provenance as Record<string, string>
      const { iat = 0, ...others } = decodeJwt(token)
      const longer = await new CompactSign(Buffer.from(JSON.stringify({ ...others, iat, exp: iat + 901 })))
        .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
        .sign(key)
      const provenance = { ...document.provenance, migration_token: longer }
      const answer = await post(withStateChecksum({ ...document, provenance }))
      assert.deepEqual([answer.status, answer.json.code], [422, 'STATE_TOKEN_INVALID'])
      assert.match(answer.json.detail, /901 seconds/)
    })

    await t.test('without a token, a state that is not being moved is a fork', async () => {
      const document = withStateChecksum({ ...captured, state_id: randomUUID() })
      const answer = await post(document)
      assert.equal(answer.status, 201, JSON.stringify(answer.json))
      const view = await b.reaches(answer.json.run_id, 'awaiting_approval')
      assert.equal(view.run_id, answer.json.run_id)
      assert.equal((await b.sql('SELECT 1 FROM waybill.arrivals WHERE run_id = $1', [view.run_id])).length, 0)
    })
  })

  test('AAIF-12-08, AAIF-8.3-04: a token that arrives unencrypted is refused, and plaintext peers cannot be pinned', async (t) => {
    const { send, token } = await serveFake(t)
    const json = { provenance: { migration_token: 'x.y.z' } }
    const answer = await send('POST', '/v1/states', { token, json })
    assert.deepEqual([answer.status, answer.json.code], [426, 'TLS_REQUIRED'])
    const { a } = await movingSite(t)
    const keys = { keys: [generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })] }
    for (const url of ['http://other.example', 'http://localhost:1', 'ws://other.example'])
      assert.equal((await a.send('POST', '/v1/peers', { name: 'x', url, keys })).json.code, 'TLS_REQUIRED')
    for (const url of ['https://other.example/path', 'https://user:pass@other.example', 'nonsense'])
      assert.equal(
        (await a.send('POST', '/v1/peers', { name: 'x', url, keys })).json.code,
        'PEER_INVALID',
        url,
      )
    for (const wrong of [{ keys: [] }, { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] }, {}]) {
      const body = { name: 'x', url: 'https://other.example', keys: wrong }
      assert.equal((await a.send('POST', '/v1/peers', body)).json.code, 'REQUEST_INVALID')
    }
  })
})
