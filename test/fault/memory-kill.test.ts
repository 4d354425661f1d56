import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Place, start, until } from '../cli/fixture.ts'

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const DEFINITION = {
  sc_standard: 'SC-006',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a77',
  agent: {
    name: 'Butler',
    goal: 'Remember the tea.',
    model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
    memory: [{ scope: 'user', key: 'house', content: 'A house by the sea.' }],
  },
}

/** A model that saves once, and then answers. */
class Model {
  readonly server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { messages } = JSON.parse(body) as { messages: { role: string }[] }
    const saved = messages.at(-1)?.role === 'tool'
    const args = JSON.stringify({ key: 'tea', content: 'Assam' })
    const call = { id: 'c1', type: 'function', function: { name: 'memory_save', arguments: args } }
    const message = saved ? { content: 'Noted.' } : { content: null, tool_calls: [call] }
    const finish_reason = saved ? 'stop' : 'tool_calls'
    const choices = [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }]
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model: 'x', choices, usage }),
    )
  })
}

const model = new Model()
let flags: readonly string[] = []
before(async () => {
  await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve))
  const { port } = model.server.address() as AddressInfo
  flags = ['--model', 'custom/x', '--base-url', `http://127.0.0.1:${port}/v1`]
})
after(() => {
  model.server.closeAllConnections()
  model.server.close()
})

/** Where the process of the run is stopped: while it stores an item, or while it stores the answer of the call. */
const BARRIERS = {
  'the save': "BEFORE INSERT ON items WHEN NEW.key = 'tea'",
  'its answer': "BEFORE INSERT ON events WHEN NEW.line LIKE '%call.answered%'",
}

class Butler {
  readonly place: Place

  constructor(t: TestContext) {
    this.place = new Place(t, DEFINITION)
  }

  /** Runs it, and kills it while it stores the item or answer of the barrier. */
  async killedAt(barrier: keyof typeof BARRIERS): Promise<void> {
    // Creates the database.
    await this.place.withHome(({ grants }) => grants.revoke(new Set(), () => []))
    this.#change(`
      CREATE VIEW forever AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;
      CREATE TRIGGER barrier ${BARRIERS[barrier]} BEGIN SELECT count(*) FROM forever; END;
    `)
    const run = start(this.place, ['run', 'agent.json', '--user', 'ada', '--input', 'Go', '--json', ...flags])
    // A process that stores data holds the only write lock, and a stopped one never releases it.
    await until(`${barrier} is under way`, async () => (await this.#sent()) && this.#isLocked())
    run.child.kill('SIGKILL')
    assert.equal(await run.ended, 'SIGKILL')
    this.#change('DROP TRIGGER barrier; DROP VIEW forever')
    assert.ok(await this.#sent())
    assert.doesNotMatch(JSON.stringify(await this.#events()), /call\.answered/)
  }

  async resume(): Promise<void> {
    const [id = ''] = await this.place.runIds()
    const resumed = start(this.place, ['resume', id, '--json'])
    assert.equal(await resumed.ended, 0, resumed.err())
    assert.equal(JSON.parse(resumed.out()).output, 'Noted.')
  }

  /** Returns the item with the key `tea`, and how often it was written. */
  async tea() {
    const [item] = await this.place.withHome(({ memory }) =>
      memory.list({ user: 'ada', key: 'tea' }, Date.now()),
    )
    return item === undefined ? null : [item.content, item.revision]
  }

  async #events() {
    const [id] = await this.place.runIds()
    return id === undefined ? [] : this.place.events(id)
  }

  async #sent(): Promise<boolean> {
    return /"status":"sent"/.test(JSON.stringify(await this.#events()))
  }

  #isLocked(): boolean {
    const db = new DatabaseSync(this.place.database, { timeout: 500 })
    try {
      db.exec('BEGIN IMMEDIATE; ROLLBACK')
      return false
    } catch {
      return true
    } finally {
      db.close()
    }
  }

  #change(sql: string): void {
    const db = new DatabaseSync(this.place.database, { timeout: 5000 })
    db.exec(sql)
    db.close()
  }
}

describe('a run that is killed while it saves an item', () => {
  test('a save that was not done is done once', async (t) => {
    const butler = new Butler(t)
    await butler.killedAt('the save')
    assert.equal(await butler.tea(), null)
    await butler.resume()
    assert.deepEqual(await butler.tea(), ['Assam', 1])
  })

  test('a save that was done but not yet recorded is not done again', async (t) => {
    const butler = new Butler(t)
    await butler.killedAt('its answer')
    assert.deepEqual(await butler.tea(), ['Assam', 1])
    await butler.resume()
    assert.deepEqual(await butler.tea(), ['Assam', 1])
  })
})
