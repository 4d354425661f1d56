import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantedUses } from '../../src/plan/granted-uses.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import {
  callFingerprint,
  grantsForUse,
  type IdentifiedCall,
  urlFingerprint,
} from '../../src/policy/call-fingerprint.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'

const AUTH = { type: 'bearer', secret: 'KEY' }
const CALL: IdentifiedCall = {
  protocol: 'openapi',
  endpoint: 'https://a.example:8443/v1/x?of=us',
  method: 'POST',
  auth: AUTH,
  binding: { server: 'https://a.example:8443/v1', path: '/x', sign_in: { as: 'bearer' } },
}
const usesOf = (agent: object, tools: readonly object[] = []) =>
  grantedUses(tools as readonly PlannedTool[], { agent } as unknown as AgentDefinition)

describe('the fingerprint of a call', () => {
  const changes: readonly (readonly [change: string, members: Partial<IdentifiedCall>])[] = [
    ['the protocol', { protocol: 'http' }],
    ['the path', { endpoint: 'https://a.example:8443/v1/y?of=us' }],
    ['the base path', { endpoint: 'https://a.example:8443/v2/x?of=us' }],
    ['the query', { endpoint: 'https://a.example:8443/v1/x?of=them' }],
    ['the port', { endpoint: 'https://a.example/v1/x?of=us' }],
    ['the scheme', { endpoint: 'http://a.example:8443/v1/x?of=us' }],
    ['the host', { endpoint: 'https://b.example:8443/v1/x?of=us' }],
    ['the method', { method: 'DELETE' }],
    ['no method', { method: undefined }],
    ['the secret', { auth: { ...AUTH, secret: 'OTHER' } }],
    ['the kind of sign-in', { auth: { ...AUTH, type: 'basic' } }],
    ['the header of the key', { auth: { ...AUTH, header: 'X-Other' } }],
    ['no sign-in', { auth: undefined }],
    ['the operation', { binding: { ...CALL.binding, path: '/z' } }],
    ['where the key is sent', { binding: { ...CALL.binding, sign_in: { as: 'key', in: 'query' } } }],
    ['no operation', { binding: undefined }],
  ]
  for (const [change, members] of changes)
    test(`depends on ${change}`, () => {
      const changed = { ...CALL, ...members } as IdentifiedCall
      assert.notEqual(callFingerprint(changed), callFingerprint(CALL))
      assert.notEqual(callFingerprint(changed), undefined)
    })

  test('is the same for other spellings of the same call, and for another name', () => {
    const spelled = { ...CALL, endpoint: 'HTTPS://A.example:8443/v1/x?of=us#part', method: 'post' }
    assert.equal(callFingerprint(spelled), callFingerprint(CALL))
    const named = { ...CALL, name: 'other', description: 'Other.' } as IdentifiedCall
    assert.equal(callFingerprint(named), callFingerprint(CALL))
  })

  test('is missing without an address, and then no bound grant covers the call', () => {
    const { endpoint: _none, ...nowhere } = CALL
    assert.equal(callFingerprint(nowhere), undefined)
    const free: { readonly name: string; readonly uses?: readonly string[] } = { name: 'free' }
    const bound = { name: 'bound', uses: [String(undefined), ''] }
    assert.deepEqual(grantsForUse([free, bound], undefined), [free])
  })

  test('a grant that records no use covers none', () => {
    assert.deepEqual(grantsForUse([{ uses: [] }], callFingerprint(CALL)), [])
  })

  test('a URL that is fetched is another use than a call of the same URL', () => {
    const endpoint = 'https://a.example/x'
    assert.notEqual(urlFingerprint(endpoint), callFingerprint({ protocol: 'http', endpoint }))
    assert.notEqual(urlFingerprint(endpoint), urlFingerprint('https://a.example/y'))
    assert.equal(urlFingerprint('https://A.example/x#y'), urlFingerprint(endpoint))
  })
})

describe('hosts that an agent uses', () => {
  for (const [agent, hosts] of [
    [{}, []],
    [{ texts: ['/x', 'see https://a.example', 'file:///etc', 'https://['] }, []],
    [{ texts: [null, 5, { deep: ['HTTPS://A.example./x'] }] }, ['a.example']],
    [{ tools: [{ protocol: 'http', endpoint: 'https://a.example' }] }, []],
    [{ tools: [{ endpoint: 'https://a.example' }] }, []],
    [{ tools: [{ protocol: 'openapi', endpoint: 'https://a.example/api.yaml#x' }] }, ['a.example']],
    [{ tools: [{ protocol: 'openapi', endpoint: './api.yaml' }] }, []],
    [{ tools: [{ protocol: 'mcp', endpoint: 'wss://a.example:1/' }] }, ['a.example:1']],
    [
      { model: { base_url: 'https://b.example/v1' }, texts: ['https://c.example'] },
      ['b.example', 'c.example'],
    ],
  ] as const)
    test(`${JSON.stringify(agent)} uses ${hosts.join(', ') || 'no host'} besides its planned tools`, () =>
      assert.deepEqual(
        usesOf(agent).map(({ host }) => host),
        hosts,
      ))

  test('a planned tool is used at its final URL with its secret', () => {
    const found = usesOf({}, [CALL, { protocol: 'function' }, { ...CALL, endpoint: './x', auth: undefined }])
    assert.deepEqual(found, [{ host: 'a.example:8443', fingerprint: callFingerprint(CALL), secret: 'KEY' }])
  })

  test('a tool of a server is used at the address that only the definition names', () => {
    const tool = {
      protocol: 'mcp',
      endpoint: 'https://a.example/mcp',
      binding: { url: 'https://a.example/mcp', tool: 't' },
    }
    assert.deepEqual(usesOf({}, [tool]), [{ host: 'a.example', fingerprint: callFingerprint(tool) }])
    assert.deepEqual(usesOf({}, [{ ...tool, binding: { server: 'crm', tool: 't' } }]), [])
  })

  test('without a definition, only the planned tools are known', () => {
    assert.equal(grantedUses([CALL as PlannedTool], undefined).length, 1)
  })
})
