import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { DEFINITION, GO, KEY, MailModel, Place, waybill } from '../cli/fixture.ts'
import { ForeignPlatform, type Members, receive, type TokenOptions, type Value } from './foreign-platform.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

/** A home that trusts a platform which is not Waybill. */
async function site(t: TestContext, profile: 'draft' | 'full' = 'draft', agent: object = {}) {
  model.script({ calls: false, answer: 'Continued.' })
  const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, version: '1.0.0', ...agent } })
  place.env.WAYBILL_KEY_CUSTOM = KEY
  const platform = new ForeignPlatform('LangGraph')
  const keys = (one: ForeignPlatform, name: string) => {
    const [key = null] = one.jwks.keys as readonly Value[]
    place.write(`${name}.jwks`, JSON.stringify(profile === 'draft' ? one.jwks : key))
    return ['keys', 'trust', name, `${name}.jwks`, '--platform', one.name, '--profile', profile]
  }
  const trusted = await waybill(place, keys(platform, 'graphs'))
  assert.equal(trusted.code, 0, trusted.err)
  // A second platform that is trusted as well.
  const second = new ForeignPlatform('CrewAI')
  assert.equal((await waybill(place, keys(second, 'crews'))).code, 0)
  const resume = async (document: Members, ...argv: readonly string[]) => {
    place.write('state.json', JSON.stringify(document))
    const said = await waybill(place, [
      ...['resume', 'state.json', '--agent', 'agent.json', '--tools', 'tools.mjs', '--json'],
      ...model.flags,
      ...argv,
    ])
    return { code: said.code, err: said.err, json: JSON.parse(said.out || said.err) }
  }
  const state = (members: Members = {}) => platform.state(DEFINITION.agent_id, members)
  return { place, platform, second, resume, state }
}

describe('AAIF §8.2 a state file of another platform', () => {
  test('AAIF-8.2-08, AAIF-8.2-09, AAIF-12-10: is taken over with a token of the draft, once', async (t) => {
    const { place, platform, resume, state } = await site(t)
    const document = platform.handedOver(state())
    const first = await resume(document)
    assert.equal(first.code, 0, first.err)
    assert.deepEqual([first.json.status, first.json.output], ['completed', 'Continued.'])
    assert.ok(first.json.report.entries.length > 0)
    const again = await resume(document)
    assert.deepEqual([again.code, again.json.error.code], [1, 'STATE_TOKEN_USED'])
    assert.doesNotMatch(again.err, /parts of the state/, 'it is refused before anything is planned')
    assert.equal((await place.runIds()).length, 1)
    const audit = await waybill(place, ['audit', 'export', '--json'])
    assert.match(audit.out, /\\"kind\\":\\"run.received\\"/)
  })

  test('AAIF-12-10: a second use leaves nothing behind, also no memory', async (t) => {
    const memory = [{ scope: 'long_term', content: 'x' }]
    const { place, platform, resume, state } = await site(t, 'draft', { memory })
    const snapshot = [{ scope: 'long_term', key: 'rule', content: 'Be kind.', backend: 'redis' }]
    const document = platform.handedOver(state({ memory_snapshot: snapshot }))
    const first = await resume(document)
    assert.equal(first.code, 0, first.err)
    const kept = async () => JSON.parse((await waybill(place, ['memory', 'list', '--json'])).out).items.length
    assert.equal(await kept(), 1)
    assert.equal((await waybill(place, ['memory', 'forget', 'rule'])).code, 0)
    assert.equal((await resume(document)).json.error.code, 'STATE_TOKEN_USED')
    assert.equal(await kept(), 0)
  })

  test('AAIF-8.2-04: each wrong token is refused with its code, and nothing is stored', async (t) => {
    const { place, platform, second, resume, state } = await site(t)
    const unknownOne = new ForeignPlatform('LangGraph')
    const now = Math.floor(Date.now() / 1000)
    const given = (options: TokenOptions) => platform.handedOver(state(), options)
    const cases: readonly (readonly [what: string, code: string, document: Members])[] = [
      ['no token at all', 'STATE_TOKEN_INVALID', platform.document(state(), 'a.b.c')],
      ['an unknown one with the same name', 'STATE_TOKEN_UNKNOWN_SIGNER', unknownOne.handedOver(state())],
      [
        'the key of another trusted platform',
        'STATE_TOKEN_UNKNOWN_SIGNER',
        platform.document(state(), second.token(state())),
      ],
      ['an expired one', 'STATE_TOKEN_EXPIRED', given({ claims: { iat: now - 901, exp: now - 1 } })],
      ['of 1970', 'STATE_TOKEN_EXPIRED', given({ claims: { iat: 0, exp: 900 } })],
      ['16 minutes', 'STATE_TOKEN_INVALID', given({ claims: { exp: now + 960 } })],
      ['of the future', 'STATE_TOKEN_INVALID', given({ claims: { iat: now + 300, exp: now + 400 } })],
      ['another state', 'STATE_TOKEN_INVALID', given({ claims: { state_id: 'x' } })],
      ['another agent', 'STATE_TOKEN_INVALID', given({ claims: { agent_id: 'x' } })],
      ['another audience', 'STATE_TOKEN_INVALID', given({ claims: { aud: 'https://else.example' } })],
      ['another issuer', 'STATE_TOKEN_INVALID', given({ claims: { iss: 'CrewAI' } })],
      ['another run', 'STATE_TOKEN_INVALID', given({ claims: { run_id: 'r' } })],
      ['another content', 'STATE_TOKEN_INVALID', given({ claims: { digest: 'ab' } })],
      ...['iat', 'exp', 'jti', 'state_id', 'agent_id'].map(
        (name) => [`without ${name}`, 'STATE_TOKEN_INVALID', given({ without: [name] })] as const,
      ),
      ['another key', 'STATE_TOKEN_INVALID', given({ by: generateKeyPairSync('ed25519').privateKey })],
      ['another algorithm', 'STATE_TOKEN_INVALID', given({ header: { alg: 'none' } })],
      ['another kind of token', 'STATE_TOKEN_INVALID', given({ header: { typ: 'waybill-arrival+jwt' } })],
      ['a run that was not paused', 'STATE_NOT_PAUSED', platform.handedOver(state({ status: 'running' }))],
    ]
    for (const [what, code, document] of cases) {
      const said = await resume(document)
      assert.deepEqual([said.code, said.json.error?.code], [1, code], `${what}: ${said.err}`)
    }
    assert.deepEqual(await place.runIds(), [])
  })

  test('AAIF-8.2-04: one that is being moved needs a token, or the word of the person', async (t) => {
    const { platform, resume, state } = await site(t)
    const document = platform.document(state())
    assert.equal((await resume(document)).json.error.code, 'STATE_TOKEN_MISSING')
    const forked = await resume(document, '--as-fork')
    assert.deepEqual([forked.code, forked.json.status], [0, 'completed'])
    // The flag never passes a token over.
    assert.equal((await resume(platform.handedOver(state()), '--as-fork')).code, 2)
    // Without a move, no token is needed.
    assert.equal((await resume(platform.document(state({ status: 'running' })))).code, 0)
  })

  test('a key of the full profile takes no token of the draft', async (t) => {
    const { place, platform, resume, state } = await site(t, 'full')
    const { error } = (await resume(platform.handedOver(state()))).json
    assert.equal(error.code, 'STATE_TOKEN_INVALID')
    assert.match(error.hint, /profile draft/)
    const { jwks } = platform
    place.write('set.jwks', JSON.stringify(jwks))
    const named = await waybill(place, ['keys', 'trust', 'x', 'set.jwks', '--platform', 'LangGraph'])
    assert.deepEqual([named.code, /--profile draft/.test(named.err)], [2, true], named.err)
    place.write('empty.json', '')
    const empty = await waybill(place, ['resume', 'empty.json', '--json'])
    const said = JSON.parse(empty.out).error
    assert.deepEqual([said.code, /state export/.test(said.hint)], ['DOCUMENT_EMPTY', true])
  })

  test('--no-resume takes it in as a paused run', async (t) => {
    const { place, platform, resume, state } = await site(t)
    const said = await resume(platform.handedOver(state()), '--no-resume')
    assert.deepEqual([said.code, said.json.status], [0, 'paused'])
    assert.ok(said.json.report.entries.length > 0)
    const later = await waybill(place, ['resume', said.json.run_id, '--json'])
    assert.deepEqual([later.code, JSON.parse(later.out).status], [0, 'completed'], later.err)
  })

  test('AAIF-8.2-10: leaves with a token that another platform can verify, and is confirmed or taken back', async (t) => {
    const { place } = await site(t)
    model.script()
    const started = await waybill(place, [...GO, '--json', ...model.flags])
    assert.equal(started.code, 4, started.err)
    const { run_id } = JSON.parse(started.out)
    const jwks = JSON.parse((await waybill(place, ['keys', 'export', '--jwks'])).out)
    const exported = await waybill(place, ['state', 'export', run_id, '--to', 'graphs', '-o', 'out.json'])
    assert.equal(exported.code, 0, exported.err)
    const document = JSON.parse(readFileSync(join(place.folder, 'out.json'), 'utf8'))
    const { claims } = receive(document, jwks)
    assert.deepEqual([claims.aud, claims.run_id, document.status], ['LangGraph', run_id, 'migrating'])

    // It is frozen: no command continues or decides it here.
    const frozen = await waybill(place, ['resume', run_id, '--json'])
    assert.equal(JSON.parse(frozen.out).error.code, 'RUN_MOVING')
    // The same state again, as long as its token is valid.
    assert.equal(
      (await waybill(place, ['state', 'export', run_id, '--to', 'graphs', '-o', 'two.json'])).code,
      0,
    )
    assert.equal(JSON.parse(readFileSync(join(place.folder, 'two.json'), 'utf8')).state_id, document.state_id)
    // To another platform it does not go at the same time.
    const other = await waybill(place, [
      'state',
      'export',
      run_id,
      '--to',
      'crews',
      '-o',
      'three.json',
      '--json',
    ])
    assert.equal(JSON.parse(other.out).error.code, 'RUN_MOVING')

    const back = await waybill(place, ['migrate', run_id, '--take-back', '--json'])
    assert.deepEqual([back.code, JSON.parse(back.out).state], [0, 'kept'], back.err)
    assert.equal((await waybill(place, ['migrate', run_id, '--confirm'])).code, 1)
    assert.equal(
      (await waybill(place, ['state', 'export', run_id, '--to', 'graphs', '-o', 'four.json'])).code,
      0,
    )
    const given = await waybill(place, ['migrate', run_id, '--confirm', '--json'])
    assert.deepEqual(
      [given.code, JSON.parse(given.out).state, JSON.parse(given.out).owner],
      [0, 'moved', 'LangGraph'],
      given.err,
    )
    const gone = await waybill(place, ['resume', run_id, '--json'])
    assert.equal(JSON.parse(gone.out).error.code, 'RUN_MOVED')
    assert.equal((await waybill(place, ['migrate', run_id, '--take-back', '--yes'])).code, 1)
  })
})

test('the other platform shares no code with the product', () => {
  const text = readFileSync(join(import.meta.dirname, 'foreign-platform.ts'), 'utf8')
  const imports = [...text.matchAll(/from '([^']*)'/g)].map(([, name]) => name)
  assert.deepEqual(imports, ['node:crypto'])
})
