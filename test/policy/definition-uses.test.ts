import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { usesOf } from '../../src/policy/definition-uses.ts'

const TOOL = {
  name: 'search',
  description: 'Finds.',
  endpoint: 'https://a.example:8443/x',
  auth: { type: 'bearer', env_var: 'KEY' },
}
const fingerprint = (tool: object) => usesOf({ agent: { tools: [tool] } })[0]?.fingerprint

describe('hosts that a definition uses', () => {
  for (const [agent, hosts] of [
    [undefined, []],
    [{}, []],
    [{ tools: 'x' }, []],
    [{ tools: [null, 'https://a.example', ['https://a.example'], 5] }, []],
    [{ tools: [{ endpoint: '/x' }] }, []],
    [{ tools: [{ endpoint: 'see https://a.example' }] }, []],
    [{ tools: [{ endpoint: 'HTTPS://A.example/x' }] }, ['a.example']],
    [{ tools: [{ endpoint: 'file:///etc' }] }, []],
    [{ tools: [{ endpoint: 'https://[' }] }, []],
    [{ tools: [{ deep: [{ url: 'wss://a.example:1/' }, null, 5] }] }, ['a.example:1']],
    [{ tools: [{ description: 'https://a.example' }] }, []],
    [
      { model: { base_url: 'https://b.example/v1' }, texts: ['https://c.example'] },
      ['b.example', 'c.example'],
    ],
  ] as const)
    test(`${JSON.stringify(agent)} uses ${hosts.join(', ') || 'no host'}`, () =>
      assert.deepEqual(
        usesOf({ agent }).map(({ host }) => host),
        hosts,
      ))

  test('no definition uses no host', () => {
    assert.deepEqual(usesOf(undefined), [])
    assert.deepEqual(usesOf(null), [])
  })

  for (const [auth, secrets] of [
    [{ env_var: 'KEY' }, ['KEY']],
    [{ env_var: 5 }, []],
    [{}, []],
    [null, []],
    ['KEY', []],
    [[{ env_var: 'KEY' }], []],
  ] as const)
    test(`sign-in ${JSON.stringify(auth)} uses ${secrets.join() || 'no secret'}`, () => {
      const uses = usesOf({ agent: { tools: [{ endpoint: 'https://a.example', auth }] } })
      assert.deepEqual(
        uses.map(({ secret }) => secret),
        [undefined, ...secrets],
      )
      assert.ok(uses.every(({ host }) => host === 'a.example'))
      assert.equal(new Set(uses.map((use) => use.fingerprint)).size, 1)
    })

  for (const [change, same] of [
    [{ name: 'find' }, true],
    [{ description: 'Other.' }, true],
    [{ parameters: { type: 'object' } }, true],
    [{ parameters_schema: {} }, true],
    [{ output_schema: {} }, true],
    [{ examples: [] }, true],
    [{ endpoint: 'https://a.example:8443/y' }, false],
    [{ method: 'POST' }, false],
    [{ auth: { type: 'bearer', env_var: 'OTHER' } }, false],
  ] as const)
    test(`a tool with another ${Object.keys(change)[0]} is ${same ? 'the same use' : 'another use'}`, () =>
      assert.equal(fingerprint({ ...TOOL, ...change }) === fingerprint(TOOL), same))

  test('another path of the same host is another use', () => {
    const of = (url: string) => usesOf({ agent: { collector: url } })[0]?.fingerprint
    assert.notEqual(of('https://a.example/x'), of('https://a.example/y'))
    assert.equal(of('https://a.example/x'), of('https://A.example/x'))
  })
})
