import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryOwner, MemoryStore } from '../../run/extension.ts'
import type { MemoryItem } from '../../run/state.ts'
import type { ContractCase } from './contract-case.ts'

const AT = 1_800_000_000_000
const ADA: MemoryOwner = {
  definition: 'file:///agents/one.yaml',
  agent_id: 'agent-1',
  scope: 'user',
  user: 'ada',
  session: '',
}

/** Opens the store in a folder; the same folder again is the same store. */
type Open = (folder: string) => MemoryStore | Promise<MemoryStore>

interface Opened {
  readonly store: MemoryStore
  /** Closes and reopens the store. */
  reopened(): Promise<MemoryStore>
  keys(store?: MemoryStore, owner?: MemoryOwner): Promise<readonly string[]>
}

function item(key: string, content: string, more: Partial<MemoryItem> = {}): MemoryItem {
  return { scope: 'user', key, content, saved_at: AT, expires_at: null, ...more }
}

/** Returns the contract of every memory store. */
export function memoryStoreContract(open: Open): readonly ContractCase[] {
  const suite: readonly [string, (opened: Opened) => Promise<void>][] = [
    [
      'returns items unchanged, newest first',
      async ({ store }) => {
        const text = `Zwei Zeilen,\n"Anführung", 🥨 und \\ ${'x'.repeat(20_000)}`
        await store.save(ADA, item('first', text), 'call-1')
        await store.save(ADA, item('second', '', { saved_at: AT + 1, expires_at: AT + 1000 }), 'call-2')
        const kept = (await store.items(ADA, AT + 2)).map(
          ({ scope, key, content, saved_at, expires_at }) => ({ scope, key, content, saved_at, expires_at }),
        )
        assert.deepEqual(kept, [
          item('second', '', { saved_at: AT + 1, expires_at: AT + 1000 }),
          item('first', text),
        ])
      },
    ],
    [
      'the same key replaces an item, and the same call changes nothing',
      async ({ store }) => {
        await store.save(ADA, item('tea', 'green'), 'call-1')
        await store.save(ADA, item('tea', 'black'), 'call-2')
        await store.save(ADA, item('tea', 'green'), 'call-1')
        assert.deepEqual(
          (await store.items(ADA, AT)).map(({ content }) => content),
          ['black'],
        )
      },
    ],
    [
      'no owner sees the items of another owner',
      async ({ store, keys }) => {
        await store.save(ADA, item('secret', 'a diagnosis'), 'call-1')
        const others: Partial<MemoryOwner>[] = [
          { definition: 'file:///agents/copy.yaml' },
          { agent_id: 'agent-2' },
          { scope: 'long_term' },
          { scope: 'session', session: 's' },
          { session: 's' },
          ...['', 'bob', 'ADA', 'ada ', 'ada%', 'ad_', '*', "' OR 1=1 --", 'ada"', 'ad', '__proto__'].map(
            (user) => ({ user }),
          ),
          // Two owners whose members are equal when concatenated.
          { agent_id: 'agent-1ada', user: '' },
          { agent_id: 'agent-1user', scope: 'user', user: 'ada' },
        ]
        for (const other of others)
          assert.deepEqual(await keys(store, { ...ADA, ...other }), [], JSON.stringify(other))
        assert.deepEqual(await keys(), ['secret'])
      },
    ],
    [
      'keys may be any text',
      async ({ store, keys }) => {
        const odd = ['__proto__', 'constructor', '', '/', '🥨', '../x', 'a b']
        for (const [index, key] of odd.entries()) await store.save(ADA, item(key, key), `call-${index}`)
        assert.deepEqual([...(await keys())].sort(), [...odd].sort())
      },
    ],
    [
      'a declared item is stored once, again if its text changes, and never over an item of the agent',
      async ({ store, keys }) => {
        const contents = async () => (await store.items(ADA, AT)).map(({ content }) => content)
        await store.seed(ADA, item('greeting', 'short'), 'hash-1')
        await store.seed(ADA, item('greeting', 'other'), 'hash-1')
        assert.deepEqual(await contents(), ['short'])
        await store.seed(ADA, item('greeting', 'shorter'), 'hash-2')
        assert.deepEqual(await contents(), ['shorter'])
        await store.save(ADA, item('greeting', 'long'), 'call-1')
        await store.seed(ADA, item('greeting', 'none'), 'hash-3')
        assert.deepEqual(await contents(), ['long'])
        assert.deepEqual(await keys(store, { ...ADA, user: 'bob' }), [])
      },
    ],
    [
      'items are still there after a reopen',
      async ({ store, reopened, keys }) => {
        await store.save(ADA, item('kept', 'x'), 'call-1')
        await store.seed(ADA, item('declared', 'y'), 'hash-1')
        const again = await reopened()
        assert.deepEqual([...(await keys(again))].sort(), ['declared', 'kept'])
        await again.save(ADA, item('kept', 'z'), 'call-1')
        await again.seed(ADA, item('declared', 'z'), 'hash-1')
        assert.ok((await again.items(ADA, AT)).every(({ content }) => content !== 'z'))
      },
    ],
    [
      'results are copies: changing one does not change the store',
      async ({ store }) => {
        const given = item('tea', 'green')
        await store.save(ADA, given, 'call-1')
        for (const kept of await store.items(ADA, AT)) (kept as { content: string }).content = 'black'
        ;(given as { content: string }).content = 'white'
        assert.equal((await store.items(ADA, AT))[0]?.content, 'green')
      },
    ],
    [
      'concurrent saves are all stored',
      async ({ store, keys }) => {
        const many = Array.from({ length: 100 }, (_, index) => `n${index}`)
        await Promise.all(many.map(async (key) => store.save(ADA, item(key, key), key)))
        assert.deepEqual([...(await keys())].sort(), [...many].sort())
      },
    ],
    [
      'a stored embedding belongs to the stored text',
      async ({ store }) => {
        const { vectors, keepVector } = store
        assert.equal(
          vectors === undefined,
          keepVector === undefined,
          'vectors and keepVector must be implemented together',
        )
        if (vectors === undefined || keepVector === undefined) return
        const tea = item('tea', 'green')
        await store.save(ADA, tea, 'call-1')
        await keepVector.call(store, ADA, tea, Float32Array.of(1, 2))
        assert.deepEqual([...(await vectors.call(store, ADA))], [['tea', Float32Array.of(1, 2)]])
        assert.equal((await vectors.call(store, { ...ADA, user: 'bob' })).size, 0)
        await store.save(ADA, item('tea', 'black'), 'call-2')
        await keepVector.call(store, ADA, tea, Float32Array.of(3, 4))
        assert.equal((await vectors.call(store, ADA)).size, 0)
      },
    ],
  ]
  return suite.map(([name, check]) => ({ name, check: () => withStore(open, check) }))
}

async function withStore(open: Open, check: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-contract-'))
  let store = await open(folder)
  const first = store
  try {
    await check({
      store: first,
      async reopened() {
        await store.close?.()
        store = await open(folder)
        return store
      },
      keys: async (at = first, owner = ADA) => (await at.items(owner, AT)).map(({ key }) => key),
    })
  } finally {
    await store.close?.()
    rmSync(folder, { recursive: true, force: true })
  }
}
