import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, type TestContext, test } from 'node:test'
import { MemoryFile } from '../../src/adapters/memory/memory-file.ts'
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

/** A model that saves once, and then answers; its first answer may be held back. */
class Model {
  hold: Promise<void> | undefined
  asked = 0
  readonly server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { messages } = JSON.parse(body) as { messages: { role: string }[] }
    const saved = messages.at(-1)?.role === 'tool'
    this.asked++
    if (!saved) await this.hold
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

class Butler {
  readonly place: Place
  readonly path: string

  constructor(t: TestContext) {
    this.place = new Place(t, DEFINITION)
    this.path = join(this.place.home, 'memory.sqlite')
  }

  run() {
    return start(this.place, ['run', 'agent.json', '--user', 'ada', '--input', 'Go', '--json', ...flags])
  }

  async resume() {
    const [id = ''] = this.place.runIds()
    const resumed = start(this.place, ['resume', id, '--json'])
    assert.equal(await resumed.ended, 0, resumed.err())
    assert.equal(JSON.parse(resumed.out()).output, 'Noted.')
  }

  eventsFile(): string {
    return join(this.place.home, 'runs', this.place.runIds()[0] ?? '', 'events.ndjson')
  }

  /** What is kept under `tea`, and how often it was written. */
  tea() {
    const file = new MemoryFile(this.path)
    const [item] = file.list({ user: 'ada', key: 'tea' }, Date.now())
    file.close()
    return item === undefined ? null : [item.content, item.revision]
  }
}

describe('a run that is killed while it remembers', () => {
  test('a save that had not been done is done once', async (t) => {
    const butler = new Butler(t)
    let answer = () => {}
    model.hold = new Promise((resolve) => {
      answer = resolve
    })
    const run = butler.run()
    const asked = model.asked
    await until('the model is asked', () => model.asked > asked)
    const other = new DatabaseSync(butler.path)
    t.after(() => other.close())
    // From here on the save of the run cannot get through.
    other.exec('BEGIN IMMEDIATE')
    model.hold = undefined
    answer()
    const record = () => readFileSync(butler.eventsFile(), 'utf8')
    await until('the save is under way', () => /"status":"sent"/.test(record()))
    run.child.kill('SIGKILL')
    await run.ended
    other.exec('ROLLBACK')
    assert.doesNotMatch(record(), /call\.answered/)
    assert.equal(butler.tea(), null)
    await butler.resume()
    assert.deepEqual(butler.tea(), ['Assam', 1])
  })

  test('a save that had been done, and was not on record yet, is not done again', async (t) => {
    const butler = new Butler(t)
    const run = butler.run()
    await until('the save is on record', () => {
      const [id] = butler.place.runIds()
      return id !== undefined && /call\.answered/.test(readFileSync(butler.eventsFile(), 'utf8'))
    })
    run.child.kill('SIGKILL')
    await run.ended
    // The very state of the disk if the kill had come between the two: the item is kept, the answer is not on record.
    const lines = readFileSync(butler.eventsFile(), 'utf8').split('\n')
    const answered = lines.findIndex((line) => /call\.answered/.test(line))
    assert.ok(answered > 0)
    writeFileSync(butler.eventsFile(), `${lines.slice(0, answered).join('\n')}\n`)
    assert.deepEqual(butler.tea(), ['Assam', 1])
    await butler.resume()
    assert.deepEqual(butler.tea(), ['Assam', 1])
  })
})
