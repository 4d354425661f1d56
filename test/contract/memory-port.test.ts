import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createMemoryPort, type MemoryParts } from '../../src/adapters/memory/memory-port.ts'
import type { MemoryScope, PlannedMemory } from '../../src/plan/plan.ts'
import { expiryOf, withItems } from '../../src/run/kept-items.ts'
import type { MemoryPort, MemoryRequest } from '../../src/run/ports.ts'
import type { MemoryItem } from '../../src/run/state.ts'
import { recordStores } from './record-stores.ts'

const AGENT = 'agent-1'
const START = 1_800_000_000_000

/** An agent's memory as a run uses it. Items in the run's own record are stored here, as the core does it. */
class Memory {
  readonly port: MemoryPort
  readonly #keptIn: PlannedMemory['kept_in']
  #held: readonly MemoryItem[] = []
  #saves = 0
  now = START

  constructor(keptIn: PlannedMemory['kept_in'], port: MemoryPort) {
    this.#keptIn = keptIn
    this.port = port
  }

  entry(members: Partial<PlannedMemory> = {}): PlannedMemory {
    return {
      scope: 'long_term',
      key: 'declared',
      content: 'declared content',
      kept_in: this.#keptIn,
      retrieval_strategy: 'recency',
      top_k: 5,
      ttl_seconds: 0,
      gate: 'allow',
      ...members,
    }
  }

  async save(key: string, content: string, entry = this.entry(), callKey = `call-${this.#saves++}`) {
    const { scope } = entry
    const expires_at = expiryOf(entry.ttl_seconds, this.now)
    const item = { scope, key, content, saved_at: this.now, expires_at }
    if (entry.kept_in === 'in_memory') this.#held = withItems(this.#held, [item])
    else {
      const of = { agent_id: AGENT, definition_hash: AGENT, run_id: 'run' }
      await this.port.save({ ...of, entry, item, call_key: callKey })
    }
  }

  request(entry: PlannedMemory, agentId = AGENT): MemoryRequest {
    return { agent_id: agentId, definition_hash: agentId, entries: [entry], held: this.#held, at: this.now }
  }

  async keys(query = '', entry = this.entry(), agentId = AGENT): Promise<readonly string[]> {
    const { items, warnings } = await this.port.recall({ ...this.request(entry, agentId), query })
    assert.deepEqual(warnings, [])
    return items.map(({ key }) => key).filter((key) => key !== 'declared')
  }
}

const BACKENDS: readonly {
  readonly name: PlannedMemory['kept_in']
  readonly open: (t: TestContext, parts?: Partial<MemoryParts>) => Memory
}[] = [
  {
    name: 'in_memory',
    open: (_t, parts) => new Memory('in_memory', createMemoryPort({ redact: (text) => text, ...parts })),
  },
  {
    name: 'sqlite',
    open: (t, parts) => {
      const folder = mkdtempSync(join(tmpdir(), 'waybill-memory-'))
      const records = recordStores()['in SQLite'](join(folder, 'home'))
      t.after(async () => {
        await records.close()
        rmSync(folder, { recursive: true })
      })
      return new Memory(
        'sqlite',
        createMemoryPort({ stores: new Map([['sqlite', records.memory]]), redact: (text) => text, ...parts }),
      )
    },
  },
]

for (const { name, open } of BACKENDS) {
  describe(`memory kept in ${name}`, () => {
    test('returns saved items, and for the same key only the latest', async (t) => {
      const memory = open(t)
      await memory.save('colour', 'red')
      await memory.save('colour', 'blue')
      const { items } = await memory.port.collect({ ...memory.request(memory.entry()), keys: ['colour'] })
      assert.deepEqual(
        items.map(({ content }) => content),
        ['blue'],
      )
    })

    test('AAIF-4.5-09: a query returns at most top_k items', async (t) => {
      const memory = open(t)
      // Declared items are stored at the first read, and are then the oldest.
      await memory.keys()
      for (let n = 0; n < 8; n++) {
        memory.now += 1000
        await memory.save(`n${n}`, `item ${n}`)
      }
      assert.deepEqual(await memory.keys(''), ['n7', 'n6', 'n5', 'n4', 'n3'])
      assert.equal((await memory.keys('', memory.entry({ top_k: 2 }))).length, 2)
    })

    test('AAIF-4.5-10: ttl 0 never expires, a positive one expires after this number of seconds', async (t) => {
      const memory = open(t)
      await memory.save('kept', 'for ever')
      await memory.save('brief', 'for a second', memory.entry({ ttl_seconds: 1 }))
      memory.now += 999
      assert.deepEqual([...(await memory.keys())].sort(), ['brief', 'kept'])
      memory.now += 1
      assert.deepEqual(await memory.keys(), ['kept'])
      memory.now += 100 * 365 * 86_400_000
      assert.deepEqual(await memory.keys(), ['kept'])
    })

    test('AAIF-4.5-11: recency: the newest first', async (t) => {
      const memory = open(t)
      for (const key of ['old', 'newer', 'newest']) {
        memory.now += 1
        await memory.save(key, 'the same words')
      }
      assert.deepEqual(await memory.keys('words'), ['newest', 'newer', 'old'])
    })

    test('AAIF-4.5-11: keyword: only items with words of the query, the best first', async (t) => {
      const memory = open(t)
      const entry = memory.entry({ retrieval_strategy: 'keyword' })
      await memory.save('a', 'Ada wants her invoices on Mondays, invoices only')
      await memory.save('b', 'The weather was fine on one of the Mondays')
      await memory.save('c', 'Nothing of the kind')
      assert.deepEqual(await memory.keys('invoice on monday', entry), ['a', 'b'])
      assert.deepEqual(await memory.keys('"); DROP TABLE items; --', entry), [])
      assert.deepEqual(await memory.keys('NEAR( OR * AND NOT', entry), [])
      assert.deepEqual(await memory.keys('', entry), [])
    })

    test('AAIF-4.5-11: similarity and hybrid: by the vectors; hybrid ranks items first that both find', async (t) => {
      const memory = open(t, { embed: meanings })
      await memory.save('animal', 'a cat on the sofa')
      await memory.save('money', 'the invoice is due')
      await memory.save('both', 'a kitten cost money')
      const similar = memory.entry({ retrieval_strategy: 'similarity' })
      assert.equal((await memory.keys('kitten', similar)).slice(0, 2).includes('money'), false)
      const hybrid = memory.entry({ retrieval_strategy: 'hybrid' })
      assert.equal((await memory.keys('kitten', hybrid))[0], 'both')
      // Vectors are computed once for each content, and again when it changes.
      await memory.save('money', 'kitten kitten')
      assert.ok((await memory.keys('kitten', similar)).slice(0, 2).includes('money'))
    })

    test('a model that cannot embed is a warning, and keywords find the items', async (t) => {
      const memory = open(t, { embed: () => Promise.reject(new Error('no such model')) })
      await memory.save('a', 'invoices')
      const entry = memory.entry({ retrieval_strategy: 'similarity' })
      const { items, warnings } = await memory.port.recall({ ...memory.request(entry), query: 'invoices' })
      assert.deepEqual(
        [items.map(({ key }) => key), warnings.map(({ code }) => code)],
        [['a'], ['MEMORY_EMBEDDING_FAILED']],
      )
    })

    test('a scope shows no items of another', async (t) => {
      const memory = open(t)
      await memory.save('mine', 'x', memory.entry({ scope: 'user', user: 'ada' }))
      assert.deepEqual(await memory.keys('', memory.entry({ scope: 'user', user: 'ada' })), ['mine'])
      for (const scope of ['session', 'task', 'long_term'] as const satisfies readonly MemoryScope[])
        assert.deepEqual(await memory.keys('', memory.entry({ scope, user: 'ada', session: 's' })), [])
    })
  })
}

/** A test double for embeddings: two meanings, animals and money. */
async function meanings(texts: readonly string[]): Promise<readonly Float32Array[]> {
  const count = (text: string, words: RegExp) => (text.match(words) ?? []).length
  return texts.map((text) =>
    Float32Array.of(count(text, /cat|kitten/g), count(text, /invoice|money|cost/g), 0.01),
  )
}

describe('memory kept in sqlite is separated by owner', () => {
  const [, sqlite] = BACKENDS
  assert.ok(sqlite)

  test('AAIF-4.5-02: items of one user are never shown to another, nor to an agent with another id', async (t) => {
    const memory = sqlite.open(t)
    const of = (user: string, strategy: PlannedMemory['retrieval_strategy'] = 'recency') =>
      memory.entry({ scope: 'user', user, retrieval_strategy: strategy })
    await memory.save('secret', 'the diagnosis of Ada', of('ada'))
    assert.deepEqual(await memory.keys('', of('ada')), ['secret'])
    for (const user of ['bob', '', 'ADA', 'ada ', 'ada%', "' OR 1=1 --"]) {
      assert.deepEqual(await memory.keys('diagnosis', of(user)), [], user)
      assert.deepEqual(await memory.keys('diagnosis', of(user, 'keyword')), [], user)
      const { items } = await memory.port.collect({ ...memory.request(of(user)), keys: ['secret'] })
      assert.deepEqual(items, [], user)
    }
    assert.deepEqual(await memory.keys('', of('ada'), 'agent-2'), [])
  })

  test('long-term items belong to the agent, and to no other', async (t) => {
    const memory = sqlite.open(t)
    await memory.save('fact', 'the shop opens at nine')
    assert.deepEqual(await memory.keys('', memory.entry()), ['fact'])
    assert.deepEqual(await memory.keys('', memory.entry(), 'agent-2'), [], 'but not for another agent')
  })
})
