import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, beforeEach, describe, test } from 'node:test'
import { BIN } from '../started-process.ts'
import { DEFINITION, GO, MailModel, Place, start, until, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const { compliance: _none, ...unasked } = DEFINITION.agent
const UNASKED = { ...DEFINITION, agent: unasked }
const run = (...more: string[]) => [...GO, ...model.flags, ...more]

describe('Ctrl-C', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} saves the run and exits 130; resume finishes it, and no call is repeated`, async (t) => {
      const place = new Place(t, UNASKED)
      let slow = true
      model.server.clearFixtures()
      model.server.addFixture({
        match: { predicate: (request) => request.messages.at(-1)?.role === 'tool' },
        response: async () => {
          if (slow) await new Promise((resolve) => setTimeout(resolve, 20_000).unref())
          return { content: 'It is sent.' }
        },
      })
      model.server.addFixture({
        match: {},
        response: { toolCalls: [{ id: 'c1', name: 'send_mail', arguments: '{"to":"ada"}' }] },
      })
      const driven = start(place, run('--json'))
      await until(
        'the model is asked the second time',
        () => place.sent().length === 1 && /✓ send_mail/.test(driven.err()),
      )
      driven.child.kill(signal)
      assert.equal(await driven.ended, 130)
      const result = JSON.parse(driven.out())
      assert.equal(result.status, 'paused')
      assert.equal(result.stop_reason, 'interrupt')
      slow = false
      const resumed = await waybill(place, ['resume', result.run_id])
      assert.equal(resumed.code, 0)
      assert.equal(resumed.out, 'It is sent.\n')
      assert.deepEqual(place.sent(), ['ada'])
    })
  }

  test('a second one exits at once', async (t) => {
    const place = new Place(t, UNASKED)
    place.write(
      'tools.mjs',
      'export const tools = { send_mail: () => new Promise((r) => setTimeout(r, 60_000)) }',
    )
    const driven = start(place, run())
    await until('the call is under way', () => /→ send_mail/.test(driven.err()))
    driven.child.kill('SIGINT')
    await until('it says that it stops', () => /stopping/.test(driven.err()))
    driven.child.kill('SIGINT')
    assert.equal(await driven.ended, 130)
  })
})

describe('pipes', () => {
  const LARGE = 'All work and no play. '.repeat(20_000)

  test('large output is complete', async (t) => {
    const place = new Place(t, UNASKED)
    place.write('large.txt', LARGE)
    const argv = ['run', 'agent.json', '--rehearse', '--input', '@large.txt', '--json']
    const piped = spawnSync('sh', ['-c', `"$0" "$@" | (sleep 0.3; cat)`, BIN, ...argv], {
      cwd: place.folder,
      env: place.env as NodeJS.ProcessEnv,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    const [id = ''] = await place.runIds()
    assert.equal(JSON.parse(piped.stdout).run_id, id)
    const shown = spawnSync(
      'sh',
      ['-c', `"$0" "$@" | (sleep 0.3; cat)`, BIN, 'runs', 'events', id, '--json'],
      {
        cwd: place.folder,
        env: place.env as NodeJS.ProcessEnv,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      },
    )
    assert.ok(shown.stdout.length > LARGE.length)
    assert.equal(JSON.parse(shown.stdout)[0].input, LARGE)
  })

  test('a reader that closes the pipe early is not a failure, and the run still finishes', async (t) => {
    const place = new Place(t, UNASKED)
    const argv = ['run', 'agent.json', '--rehearse', '--input', 'Go', '--events', 'ndjson']
    const piped = spawnSync('bash', ['-c', `set -o pipefail; "$0" "$@" | true`, BIN, ...argv], {
      cwd: place.folder,
      env: place.env as NodeJS.ProcessEnv,
      encoding: 'utf8',
    })
    assert.equal(piped.status, 0, piped.stderr)
    assert.doesNotMatch(piped.stderr, /EPIPE|at .*\.ts/)
    const [id = ''] = await place.runIds()
    const listed = spawnSync(BIN, ['runs', 'list', '--json'], {
      env: place.env as NodeJS.ProcessEnv,
      encoding: 'utf8',
    })
    assert.deepEqual(
      JSON.parse(listed.stdout).runs.map(({ run_id, status }: Record<string, string>) => [run_id, status]),
      [[id, 'completed']],
    )
  })

  test('functions that keep the process open do not prevent the end of the command', async (t) => {
    const place = new Place(t, UNASKED)
    place.write('tools.mjs', 'setInterval(() => {}, 1000); export const tools = { send_mail: async () => 1 }')
    const driven = start(place, run())
    assert.equal(await driven.ended, 0)
  })
})

test('a key does not reach output or records, even if a tool or the model repeats it', async (t) => {
  const key = 'zebra-quartz-71-lantern-mosaic'
  const place = new Place(t, UNASKED)
  model.script({ answer: `Your key is ${key}.`, args: JSON.stringify({ to: key }) })
  place.write(
    'tools.mjs',
    'export const tools = { send_mail: async ({ to }) => { throw new Error("no such key: " + process.env.WAYBILL_KEY_CUSTOM + to) } }',
  )
  const driven = start(place, run(), { WAYBILL_KEY_CUSTOM: key })
  await driven.ended
  const [id = ''] = await place.runIds()
  const shown = await waybill(place, ['runs', 'show', id])
  assert.match(driven.out(), /\[secret WAYBILL_KEY_CUSTOM\]/)
  assert.equal((driven.out() + driven.err() + shown.out + place.homeText()).includes(key), false)
})
