import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { issueEnrolmentProof } from '../../src/trust/enrolment-proof.ts'
import { Place, waybill } from '../cli/fixture.ts'
import { movingSite } from './moving-site.ts'

describe('enrol_machines: false', () => {
  test('no machine is pinned by a login, in the organisations that it holds for; an admin pins it', {
    timeout: 300_000,
  }, async (t) => {
    const site = await movingSite(t, {
      config: { enrol_machines: false, organisations: { open: { enrol_machines: true } } },
    })
    const { a } = site
    await a.ok('DELETE', '/v1/peers/other')
    await a.ok('POST', '/v1/organisations/default/members', { user: 'ada', roles: ['operator'] })
    const ada = (await a.ok('POST', '/v1/tokens', { user: 'ada', roles: ['operator'] })).token
    const open = (await a.ok('POST', '/v1/organisations', { organisation: 'open', admin: { user: 'ada' } }))
      .admin_token.token
    const login = (token: string, ...argv: readonly string[]) => {
      const place = new Place(t)
      mkdirSync(place.home, { mode: 0o700 })
      place.write('home/config.yaml', JSON.stringify({ ca_files: [a.caFile] }))
      return waybill(place, ['login', a.url, ...argv], { stdin: token })
    }

    const said = await login(ada)
    assert.equal(said.code, 0, said.err)
    assert.match(said.err, /pinned the keys of the platform, as localhost-\d+: /)
    assert.match(
      said.err,
      /this machine is not pinned there: machines are not pinned here when their users log in\n {2}hint an admin pins the machine: .*waybill peers add NAME --keys/,
    )
    const machine = JSON.parse((await login(ada, '--json')).out)
    assert.equal(machine.machine, null)
    assert.equal(machine.platform_keys.length, 1)

    // A proof that is right in every respect.
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const keys = { keys: [publicKey.export({ format: 'jwk' })] }
    const enrol = async (token: string, organisation: string) => {
      const claims = {
        iat: Math.floor(Date.now() / 1000),
        aud: `${a.url}/organisations/${organisation}`,
        sub: 'ada',
      }
      const proof = await issueEnrolmentProof(claims, privateKey)
      return a.send('POST', '/v1/peers/enrolments', { keys, users: ['x'], proof }, token)
    }
    const refused = await enrol(ada, 'default')
    assert.deepEqual([refused.status, refused.json.code], [422, 'ENROLMENT_OFF'])
    assert.match(refused.json.hint, /waybill peers add NAME --keys/)
    assert.deepEqual((await a.ok('GET', '/v1/peers')).items, [])

    const elsewhere = await enrol(open, 'open')
    assert.equal(elsewhere.status, 201, JSON.stringify(elsewhere.json))
    assert.notEqual(JSON.parse((await login(open, '--json')).out).machine, null)
    assert.deepEqual((await a.ok('GET', '/v1/peers')).items, [], 'that of another organisation is not here')

    await a.ok('POST', '/v1/peers', { name: 'ada-laptop', keys, users: { ada: 'ada' } })
    assert.deepEqual(
      (await a.ok('GET', '/v1/peers')).items.map(({ name }: { name: string }) => name),
      ['ada-laptop'],
    )
  })
})
