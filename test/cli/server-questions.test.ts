import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { startRun } from 'waybill'
import { type AskingPeer, askingPeer, type Revision } from '../adapters/mcp/asking-peer.ts'
import { DEFINITION, Place, type Said, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const model = new LLMock({ port: 0, host: '127.0.0.1' })
let flags: readonly string[] = []
before(async () => {
  flags = ['--model', 'custom/x', '--base-url', `${await model.start()}/v1`]
})
after(() => model.stop())

const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
let tool = 'book'
beforeEach(() => {
  tool = 'book'
  model.clearFixtures()
  model.clearRequests()
  model.addFixture({
    match: { predicate: (request) => request.messages.at(-1)?.role === 'tool' },
    response: { content: 'Done.', usage },
  })
  model.addFixture({
    match: {},
    response: () => ({ toolCalls: [{ id: 'c1', name: tool, arguments: '{}' }], usage }),
  })
})

const json = ({ out }: Said) => JSON.parse(out)
const effects = ({ log }: AskingPeer) => log().filter((line) => !line.startsWith('called'))

function placeWith(t: TestContext, peer: AskingPeer, agent: object = {}): Place {
  const tools = ['book', 'two', 'visit'].map((name) => ({
    name,
    description: 'Asks.',
    protocol: 'mcp',
    endpoint: `mcp://asking/${name}`,
    parameters_schema: { type: 'object', properties: {} },
  }))
  const { compliance: _none, ...own } = DEFINITION.agent
  const place = new Place(t, { ...DEFINITION, agent: { ...own, tools, ...agent } })
  mkdirSync(place.home, { recursive: true })
  place.write('home/config.yaml', JSON.stringify({ mcp_servers: peer.servers }))
  return place
}

/** Starts a run without a terminal whose server asks. */
async function waiting(t: TestContext, revision: Revision = '2025', more: readonly string[] = []) {
  const peer = await askingPeer(t, revision, 'http')
  const place = placeWith(t, peer)
  const said = await waybill(place, ['run', 'agent.json', '--input', 'Go', ...flags, ...more])
  const [run = ''] = await place.runIds()
  return { peer, place, run, said }
}

const answer = (place: Place, run: string, ...words: readonly string[]) =>
  waybill(place, ['approvals', 'answer', run, ...words])

for (const revision of ['2026', '2025'] as const)
  describe(`a run whose server of the ${revision} revision asks a person`, () => {
    test('waits with exit 4, shows the question, and acts once with the answer of another process', async (t) => {
      const { peer, place, run, said } = await waiting(t, revision)
      assert.equal(said.code, 4, said.err)
      assert.match(
        said.err,
        new RegExp(`waybill approvals show ${run.slice(-6)} c1 {3}\\(book: its server asks\\)`),
      )
      const [listed] = json(await waybill(place, ['approvals', 'list', '--json'])).approvals
      assert.deepEqual(
        [listed.kind, listed.asks, listed.server, listed.tool, listed.questions[0].message],
        ['elicitation', 'input', 'asking', 'book', 'Which city, and for how long?'],
      )
      const shown = (await waybill(place, ['approvals', 'show', run])).out
      for (const part of [
        'The server asking asks you something before it makes book',
        'Which city, and for how long?',
        'city (City): string; from length 2; required',
        'nights: integer; at least 1; optional; default 2',
        'never type a password',
        'waybill approvals answer',
      ])
        assert.ok(shown.includes(part), `${part}\n${shown}`)
      const answered = await answer(place, run, '--set', 'city=Bern', '--set', 'nights=3')
      assert.equal(answered.code, 0, answered.err)
      assert.deepEqual(effects(peer), [])
      const resumed = await waybill(place, ['resume', run])
      assert.equal(resumed.code, 0, resumed.err)
      assert.deepEqual(effects(peer), ['booked Bern 3 true double'])
      const asked = model.getRequests().map(({ body }) => JSON.stringify(body))
      assert.equal(asked.length, 2)
      for (const text of asked) assert.doesNotMatch(text, /Which city|requestState|nights/)
      assert.match(asked[1] ?? '', /booked Bern for 3/)
      const story = (await waybill(place, ['runs', 'show', run])).out
      assert.match(story, /the server of book asks: Which city/)
      assert.match(story, /book answered by/)
    })

    test('hears a refusal as a refusal, and the model gets what the server answers', async (t) => {
      const { peer, place, run } = await waiting(t, revision)
      assert.equal((await waybill(place, ['approvals', 'deny', run])).code, 0)
      assert.equal((await waybill(place, ['resume', run])).code, 0)
      assert.deepEqual(effects(peer), [])
      assert.match(JSON.stringify(model.getRequests().at(-1)?.body), /not booked: decline/)
    })

    test('is replayed from its record alone', async (t) => {
      const { peer, place, run } = await waiting(t, revision)
      await answer(place, run, '--content', '{"city":"Bern"}', '--resume')
      assert.deepEqual(effects(peer), ['booked Bern 2 true double'])
      const calls = peer.log().length
      const replayed = await waybill(place, ['resume', run, '--replay', '--json'])
      assert.equal(replayed.code, 0, replayed.err)
      assert.equal(json(replayed).status, 'completed')
      assert.equal(peer.log().length, calls)
    })
  })

describe('a question of a server', () => {
  test('is answered by no rule, no --yes and no policy of the agent', async (t) => {
    const { peer, said, place, run } = await waiting(t, '2025', ['--yes', 'book'])
    assert.equal(said.code, 4, said.err)
    const resumed = await waybill(place, ['resume', run, '--yes', 'book'])
    assert.equal(resumed.code, 4, resumed.err)
    assert.deepEqual(effects(peer), [])
  })

  test('stays open after an answer that does not fit', async (t) => {
    const { place, run } = await waiting(t)
    for (const [words, code, message] of [
      [['--set', 'nights=3'], 'ANSWER_REFUSED', /city/],
      [['--set', 'city=B'], 'ANSWER_REFUSED', /city/],
      [['--content', '{"city":"Bern","nights":"many"}'], 'ANSWER_REFUSED', /nights/],
      [['--content', '{"city":"Bern","x":1}'], 'ANSWER_REFUSED', /no field "x"/],
      [['--content', '{"city":"sk-ant-api03-9fK2mQ7xR4vT8wZ1bC5dE6gH"}'], 'ANSWER_REFUSED', /secret/],
      [['--content', '7'], 'USAGE', /not a JSON object/],
      [['--set', 'town=Bern'], 'USAGE', /no field "town"/],
      [['--set', 'city'], 'USAGE', /NAME=VALUE/],
      [['--decline', '--set', 'city=Bern'], 'USAGE', /--decline/],
    ] as const) {
      const { error } = json(await answer(place, run, ...words, '--json'))
      assert.equal(error.code, code, JSON.stringify([words, error]))
      assert.match(error.message, message)
    }
    const wrong = json(await waybill(place, ['approvals', 'approve', run, '--json']))
    assert.equal(wrong.error.code, 'APPROVAL_VERDICT_INVALID')
    assert.equal((await answer(place, run, '--set', 'city=Bern')).code, 0)
  })

  test('of two questions gets an answer for each', async (t) => {
    tool = 'two'
    const { peer, place, run } = await waiting(t, '2026')
    const few = json(await answer(place, run, '--set', 'stay.city=Bern', '--json'))
    assert.equal(few.error.code, 'ANSWER_REFUSED', JSON.stringify(few))
    const given = await answer(place, run, '--set', 'stay.city=Bern', '--set', 'guest.name=Ann', '--resume')
    assert.equal(given.code, 0, given.err)
    assert.deepEqual(effects(peer), ['booked Bern for Ann'])
  })

  test('that names a URL shows it whole, with its host, and opens nothing', async (t) => {
    tool = 'visit'
    const { peer, place, run } = await waiting(t)
    const shown = (await waybill(place, ['approvals', 'show', run])).out
    assert.match(shown, /visit +https:\/\/pay\.example\/authorise\?order=7/)
    assert.match(shown, /host +pay\.example/)
    assert.equal((await answer(place, run, '--resume')).code, 0)
    assert.deepEqual(effects(peer), ['paid accept'])
  })

  test('reaches the function of a program, and is answered by it', async (t) => {
    const peer = await askingPeer(t, '2025', 'stdio')
    const place = placeWith(t, peer)
    const seen: unknown[] = []
    const run = await startRun(`${place.folder}/agent.json`, {
      home: place.home,
      mcpServers: peer.servers,
      input: 'Go',
      model: 'custom/x',
      baseUrl: flags[3] ?? '',
      decide: ({ asks, server, questions }) => {
        seen.push([asks, server, questions?.length])
        return { verdict: 'answer', by: 'ann', content: { city: 'Bern' } }
      },
    })
    assert.equal((await run.result).status, 'completed')
    assert.deepEqual(seen, [['input', 'asking', 1]])
    // The same call was still open: it was not made a second time.
    assert.deepEqual(peer.log(), ['called book', 'booked Bern 2 true double'])
  })
})

describe('a question of a server at a terminal', () => {
  terminal('is asked field by field, and answered within the same call', async (t) => {
    const peer = await askingPeer(t, '2025', 'stdio')
    const tty = new Terminal(t, placeWith(t, peer))
    tty.command('run', 'agent.json', '--input', 'Go', ...flags)
    await tty.shows(/The server asking asks you something before it makes book/)
    await tty.shows(/never type a password/)
    await tty.choose('Answer', 'Up', 'Up')
    await tty.shows(/city \(City\): string; from length 2; required/)
    tty.type('B')
    tty.key('Enter')
    await tty.shows(/nights: integer/)
    tty.key('Enter')
    await tty.shows(/breakfast: boolean/)
    tty.type('no')
    tty.key('Enter')
    await tty.shows(/room: one of single, double/)
    tty.key('Enter')
    // The whole form is asked again: a city of one letter does not fit.
    await tty.shows(/✗ .*city/)
    await tty.choose('Answer', 'Up', 'Up')
    await tty.shows(/city \(City\)[^✗]*$/)
    tty.type('Bern')
    tty.key('Enter')
    for (const field of [/nights: integer[^✗]*$/, /breakfast: boolean[^✗]*$/, /room: one of[^✗]*$/]) {
      await tty.shows(field)
      tty.key('Enter')
    }
    assert.equal(await tty.code(), 0)
    assert.deepEqual(peer.log(), ['called book', 'booked Bern 2 true double'])
  })
})
