import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DiscoveredTool, Discovery } from '../../src/plan/snapshot.ts'
import { EMPTY_LOCK, type LockedOffer, type ToolLock } from '../../src/plan/tool-lock.ts'
import { acceptTools, comparePins, pinnedActs, pinOf, pinState } from '../../src/plan/tool-pins.ts'
import type { Tool } from '../../src/spec/aaif/generated/agent.ts'
import { definition } from '../run/fixture.ts'
import { discoveredTool } from './planned-tools.ts'

const offer = (tool: DiscoveredTool): LockedOffer => ({
  sha256: pinOf(tool),
  description: tool.description,
  ...pinnedActs(tool),
})
const declared = (endpoint?: string, name = 'desk'): Tool => ({
  name,
  description: 'A desk.',
  protocol: 'mcp',
  ...(endpoint !== undefined && { endpoint }),
})
const agentOf = (...tools: readonly Tool[]) => definition({ tools: tools as never })
const discovery = (...tools: readonly DiscoveredTool[]): Discovery => ({ found: true, tools })
const lockOf = (endpoint: string | undefined, ...tools: readonly DiscoveredTool[]): ToolLock => ({
  v: 1,
  tools: {
    desk: {
      ...(endpoint !== undefined && { endpoint }),
      offers: Object.fromEntries(tools.map((tool) => [tool.name, offer(tool)])),
    },
  },
})

describe('the hash that pins a tool', () => {
  test('it covers the name, the description and both schemas, and no other member', () => {
    const plain = pinOf(discoveredTool('a'))
    assert.match(plain, /^[0-9a-f]{64}$/)
    for (const changed of [
      discoveredTool('b', { description: 'Does a.' }),
      discoveredTool('a', { description: 'other' }),
      discoveredTool('a', { parameters_schema: { type: 'object', properties: {} } }),
      discoveredTool('a', { output_schema: { type: 'string' } }),
    ])
      assert.notEqual(pinOf(changed), plain)
    assert.equal(pinOf(discoveredTool('a', { read_only: true, idempotent: true, binding: { at: 1 } })), plain)
  })
})

describe('the state of a pin', () => {
  const states: readonly (readonly [string, ToolLock, Tool, DiscoveredTool])[] = [
    ['unpinned', EMPTY_LOCK, declared('mcp://x'), discoveredTool('a')],
    ['unpinned', EMPTY_LOCK, declared('mcp://x', 'constructor'), discoveredTool('a')],
    ['pinned', lockOf('mcp://x', discoveredTool('a')), declared('mcp://x'), discoveredTool('a')],
    ['pinned', lockOf(undefined, discoveredTool('a')), declared(), discoveredTool('a')],
    [
      'changed',
      lockOf('mcp://x', discoveredTool('a')),
      declared('mcp://x'),
      discoveredTool('a', { description: 'other' }),
    ],
    ['new', lockOf('mcp://x', discoveredTool('a')), declared('mcp://x'), discoveredTool('b')],
    ['new', lockOf('mcp://x', discoveredTool('a')), declared('mcp://x'), discoveredTool('constructor')],
    ['moved', lockOf('mcp://y', discoveredTool('a')), declared('mcp://x'), discoveredTool('a')],
    ['moved', lockOf('mcp://y', discoveredTool('a')), declared(), discoveredTool('a')],
  ]
  for (const [state, lock, tool, offered] of states) {
    test(`${tool.name} at ${tool.endpoint}, offering ${offered.name}, is ${state}`, () => {
      assert.equal(pinState(lock, tool, offered), state)
    })
  }
})

describe('the effect of a pinned tool', () => {
  const at = (members: Partial<DiscoveredTool>) => discoveredTool('a', members)
  const operation = { server: 'https://api.example', path: '/notes', method: 'GET' }
  const ofDocument = { read_only: true, method: 'GET', url: 'https://api.example/notes', binding: operation }
  const hints = (annotations: DiscoveredTool['annotations'] & object) => at({ annotations })
  const changes: readonly (readonly [change: string, before: DiscoveredTool, after: DiscoveredTool])[] = [
    ['a write becomes a read', at({}), at({ read_only: true })],
    ['a read becomes a write', at({ read_only: true }), at({})],
    ['a call becomes repeatable', at({}), at({ idempotent: true })],
    ['an untrusted server claims that it reads', at({}), at({ claims_read_only: true })],
    ['readOnlyHint', hints({ readOnlyHint: false }), hints({ readOnlyHint: true })],
    ['destructiveHint', hints({ destructiveHint: true }), hints({ destructiveHint: false })],
    ['idempotentHint', hints({}), hints({ idempotentHint: true })],
    ['openWorldHint', hints({ openWorldHint: false }), hints({ openWorldHint: true })],
    ['the title', hints({ title: 'Look' }), hints({ title: 'Look, no approval needed' })],
    ['GET becomes POST', at(ofDocument), at({ ...ofDocument, read_only: false, method: 'POST' })],
    ['another URL', at(ofDocument), at({ ...ofDocument, url: 'https://api.example/wipe' })],
    [
      'another place of the key',
      at(ofDocument),
      at({ ...ofDocument, binding: { ...operation, sign_in: { as: 'key', in: 'query' } } }),
    ],
    [
      'another server',
      at({ binding: { server: 'a', tool: 'a' } }),
      at({ binding: { server: 'b', tool: 'a' } }),
    ],
  ]
  for (const [change, before, after] of changes)
    test(`${change}: the tool has changed`, () => {
      const lock = lockOf('mcp://x', before)
      assert.equal(pinState(lock, declared('mcp://x'), before), 'pinned')
      assert.equal(pinState(lock, declared('mcp://x'), after), 'changed')
    })

  test('whether the operator trusts the claim does not change the tool', () => {
    const claims = at({ claims_read_only: true, annotations: { readOnlyHint: true, idempotentHint: true } })
    const { claims_read_only: _claim, ...trusted } = claims
    const lock = lockOf('mcp://x', claims)
    assert.equal(
      pinState(lock, declared('mcp://x'), { ...trusted, read_only: true, idempotent: true }),
      'pinned',
    )
  })

  test('the path and the text of a searched document, and the path of a file, do not change the tool', () => {
    const index = (more: object) => at({ binding: { part: 'find', fragment: '', ...more } })
    const lock = lockOf('mcp://x', index({ document: '/a/api.yaml', sha256: '1', file: '/a/x' }))
    assert.equal(
      pinState(lock, declared('mcp://x'), index({ document: '/b', sha256: '2', file: '/b/x' })),
      'pinned',
    )
    assert.equal(pinState(lock, declared('mcp://x'), index({ fragment: 'tag' })), 'changed')
  })

  test('a tool that disappears and comes back as another one has changed', () => {
    const lock = lockOf('mcp://x', at({}))
    const without = { desk: discovery(discoveredTool('b')) }
    assert.deepEqual(
      comparePins(agentOf(declared('mcp://x')), without, lock).map(({ name, state }) => [name, state]),
      [
        ['b', 'new'],
        ['a', 'gone'],
      ],
    )
    assert.equal(pinState(lock, declared('mcp://x'), at({ read_only: true })), 'changed')
  })

  test('an older pin without the effect holds while a person is asked, and not for a call without a question', () => {
    const { effect, idempotent, acts, ...older } = offer(at({}))
    const lock: ToolLock = { v: 1, tools: { desk: { endpoint: 'mcp://x', offers: { a: older } } } }
    assert.equal(pinState(lock, declared('mcp://x'), at({})), 'pinned')
    assert.equal(pinState(lock, declared('mcp://x'), at({ claims_read_only: true })), 'pinned')
    assert.equal(pinState(lock, declared('mcp://x'), at({ read_only: true })), 'changed')
    assert.equal(pinState(lock, declared('mcp://x'), at({ idempotent: true })), 'changed')
  })
})

describe('what a server offers, compared with its pins', () => {
  test('present tools come first, tools that are gone follow, each with what is known of it', () => {
    const lock = lockOf('mcp://x', discoveredTool('a'), discoveredTool('b'))
    assert.deepEqual(
      comparePins(
        agentOf(declared('mcp://x')),
        { desk: discovery(discoveredTool('c'), discoveredTool('a')) },
        lock,
      ),
      [
        { declared: 'desk', name: 'c', state: 'new', after: offer(discoveredTool('c')) },
        {
          declared: 'desk',
          name: 'a',
          state: 'pinned',
          before: offer(discoveredTool('a')),
          after: offer(discoveredTool('a')),
        },
        { declared: 'desk', name: 'b', state: 'gone', before: offer(discoveredTool('b')) },
      ],
    )
  })

  test('a tool that was not asked, or was not found, is not compared', () => {
    const agent = agentOf(declared('mcp://x'), declared('mcp://z', 'toString'))
    const lock = lockOf('mcp://x', discoveredTool('a'))
    assert.deepEqual(comparePins(agent, {}, lock), [])
    const missing: Discovery = { found: false, reason: 'no answer', rule: 'AAIF-4.4-01' }
    assert.deepEqual(comparePins(agent, { desk: missing }, lock), [])
    assert.deepEqual(comparePins(definition({ tools: undefined as never }), {}, lock), [])
  })

  test('a server without pins offers unpinned tools only', () => {
    assert.deepEqual(comparePins(agentOf(declared()), { desk: discovery(discoveredTool('a')) }, EMPTY_LOCK), [
      { declared: 'desk', name: 'a', state: 'unpinned', after: offer(discoveredTool('a')) },
    ])
  })
})

describe('accepting tools', () => {
  const all = () => true
  const here = { desk: discovery(discoveredTool('b'), discoveredTool('a', { description: 'other' })) }

  test('accepted tools are pinned in the order of their names, with the endpoint', () => {
    assert.deepEqual(acceptTools(agentOf(declared('mcp://x')), here, EMPTY_LOCK, all), {
      v: 1,
      tools: {
        desk: {
          endpoint: 'mcp://x',
          offers: { a: offer(discoveredTool('a', { description: 'other' })), b: offer(discoveredTool('b')) },
        },
      },
    })
    const { offers } = acceptTools(agentOf(declared('mcp://x')), here, EMPTY_LOCK, all).tools.desk ?? {}
    assert.deepEqual(Object.keys(offers ?? {}), ['a', 'b'])
    assert.deepEqual(
      acceptTools(agentOf(declared()), { desk: discovery(discoveredTool('a')) }, EMPTY_LOCK, all),
      {
        v: 1,
        tools: { desk: { offers: { a: offer(discoveredTool('a')) } } },
      },
    )
  })

  test('only tools that differ from their pins are asked about, and a refused tool keeps its pin', () => {
    const lock = lockOf('mcp://x', discoveredTool('a'), discoveredTool('b'))
    const asked: string[] = []
    const after = acceptTools(agentOf(declared('mcp://x')), here, lock, ({ name, state }) => {
      asked.push(`${name} ${state}`)
      return false
    })
    assert.deepEqual(asked, ['a changed'])
    assert.deepEqual(after, lock)
  })

  test('a tool that is gone is removed when that is accepted', () => {
    const lock = lockOf('mcp://x', discoveredTool('a'), discoveredTool('b'))
    const after = acceptTools(
      agentOf(declared('mcp://x')),
      { desk: discovery(discoveredTool('b')) },
      lock,
      all,
    )
    assert.deepEqual(after, lockOf('mcp://x', discoveredTool('b')))
  })

  test('with another endpoint only accepted tools are kept', () => {
    const lock = lockOf('mcp://y', discoveredTool('a'), discoveredTool('b'))
    const at = agentOf(declared('mcp://x'))
    const both = { desk: discovery(discoveredTool('a'), discoveredTool('b')) }
    const after = acceptTools(at, both, lock, ({ name }) => name === 'b')
    assert.deepEqual(after, lockOf('mcp://x', discoveredTool('b')))
  })

  test('pins of other tools stay', () => {
    const lock: ToolLock = { v: 1, tools: { other: { offers: { z: offer(discoveredTool('z')) } } } }
    const agent = agentOf(declared('mcp://x'), declared('mcp://o', 'other'))
    const after = acceptTools(agent, { desk: discovery(discoveredTool('a')) }, lock, all)
    assert.deepEqual(after, {
      v: 1,
      tools: { ...lock.tools, ...lockOf('mcp://x', discoveredTool('a')).tools },
    })
  })
})
