import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openSchedule } from '../../src/adapters/triggers/cron-schedule.ts'
import { DEFINITION, MailModel, Place, start, until, waybill } from './fixture.ts'

function watcher(t: TestContext, triggers: readonly object[], more: object = {}): Place {
  return new Place(t, {
    ...DEFINITION,
    agent: {
      name: 'Night watch',
      goal: 'Look.',
      model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
      events: { triggers },
      ...more,
    },
  })
}

const EVERY_SECOND = '* * * * * *'
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('waybill watch', () => {
  test('SPEC-D-29: a schedule starts a run with its time as input, and --once ends after it', async (t) => {
    const place = watcher(t, [{ type: 'schedule', schedule: EVERY_SECOND }])
    const before = Date.now()
    const { out, err, code } = await waybill(place, [
      'watch',
      'agent.json',
      '--rehearse',
      '--once',
      '--events',
      'ndjson',
    ])
    assert.equal(code, 0, err)
    const said = lines(out)
    const fired = said.find(({ type }) => type === 'trigger.fired')
    assert.deepEqual([fired.trigger, fired.payload.schedule], ['/agent/events/triggers/0', EVERY_SECOND])
    const at = Date.parse(fired.payload.at)
    assert.ok(at > before && at <= Date.now(), fired.payload.at)
    assert.equal(at % 1000, 0)
    assert.deepEqual(said.find(({ type }) => type === 'run.started').input, fired.payload)
    assert.equal((await place.runIds()).length, 1)
  })

  test('SPEC-D-29: cron is read as UTC, whatever the machine’s zone', async () => {
    const before = process.env.TZ
    process.env.TZ = 'Asia/Tokyo'
    try {
      const next = openSchedule('30 9 * * *', '/x').next()
      assert.equal(next?.toISOString().slice(11), '09:30:00.000Z')
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })

  test('an invalid schedule, or one that never fires, is refused before watching starts', async (t) => {
    for (const schedule of ['0 0 31 2 *', 'every day', '* * * * * * *']) {
      const place = watcher(t, [{ type: 'schedule', schedule }])
      const { out, err, code } = await waybill(place, ['watch', 'agent.json', '--rehearse', '--once'])
      assert.equal(code, 1, `${schedule}: ${out}`)
      assert.match(err, /DEFINITION_INVALID.*the schedule .*\/agent\/events\/triggers\/0\/schedule/)
    }
  })

  test('SPEC-D-29: a filter that does not match, cannot be evaluated, or is plain text starts no run', async (t) => {
    const place = watcher(t, [
      { type: 'file_change', event_name: 'inbox', filter: { lang: 'cel', expr: 'path.endsWith(".txt")' } },
      { type: 'file_change', event_name: 'inbox', filter: { lang: 'cel', expr: 'nothing == 1' } },
      { type: 'file_change', event_name: 'inbox', filter: 'when something important comes' },
    ])
    mkdirSync(join(place.folder, 'inbox'))
    const watching = start(place, ['watch', 'agent.json', '--rehearse', '--once', '--events', 'ndjson'])
    await until('it watches', () => watching.out().includes('watch.started'))
    place.write('inbox/a.md', 'no')
    await until('the first is skipped', () => watching.out().includes('does not match'))
    place.write('inbox/b.txt', 'yes')
    assert.equal(await watching.ended, 0, watching.err())
    const said = lines(watching.out())
    const of = (type: string) => said.filter((line) => line.type === type)
    assert.match(of('trigger.ignored')[0].reason, /is plain text and cannot be evaluated/)
    assert.deepEqual(
      of('trigger.fired').map(({ trigger, payload }) => [trigger, payload.path, payload.change]),
      [['/agent/events/triggers/0', 'inbox/b.txt', 'changed']],
    )
    assert.ok(of('trigger.skipped').some(({ reason }) => /cannot be evaluated/.test(reason)))
    assert.equal(of('run.started').length, 1)
  })

  test('SPEC-D-29: changes in a folder that is created or recreated while watching start runs', async (t) => {
    const place = watcher(t, [{ type: 'file_change', event_name: 'inbox' }])
    const watching = start(place, ['watch', 'agent.json', '--rehearse', '--events', 'ndjson'])
    await until('it watches', () => watching.out().includes('watch.started'))
    const ended = () => watching.out().match(/"end":/g)?.length ?? 0
    mkdirSync(join(place.folder, 'inbox'))
    place.write('inbox/a.txt', 'hi')
    await until('the first run', () => ended() === 1)
    rmSync(join(place.folder, 'inbox'), { recursive: true })
    mkdirSync(join(place.folder, 'inbox'))
    place.write('inbox/b.txt', 'hi')
    await until('a run of the new folder', () => watching.out().includes('inbox/b.txt') && ended() >= 2)
    watching.child.kill('SIGINT')
    await watching.ended
    const changed = lines(watching.out())
      .filter(({ type, payload }) => type === 'trigger.fired' && payload.change === 'changed')
      .map(({ payload }) => payload.path)
    assert.deepEqual(changed, ['inbox/a.txt', 'inbox/b.txt'])
  })

  test('a watched path must be in the folder of the definition, also through links', async (t) => {
    for (const event_name of ['..', '/etc/passwd', 'link']) {
      const place = watcher(t, [{ type: 'file_change', event_name }])
      symlinkSync(tmpdir(), join(place.folder, 'link'))
      const { err, code } = await waybill(place, ['watch', 'agent.json', '--rehearse', '--once'])
      assert.equal(code, 1)
      assert.match(err, /TRIGGER_INVALID.*outside/, event_name)
    }
  })

  test('triggers that need the server are reported, and are not enough for watch', async (t) => {
    const place = watcher(
      t,
      ['webhook', 'message', 'event', 'agent_handoff', 'manual'].map((type) => ({ type })),
    )
    const { err, code } = await waybill(place, ['watch', 'agent.json', '--rehearse'])
    assert.equal(code, 1)
    assert.match(err, /TRIGGERS_NONE/)
    for (const type of ['webhook', 'message', 'event', 'agent_handoff'])
      assert.ok(
        err.includes(`${type} warning: not watched: a trigger of type ${type} needs the server`),
        type,
      )
  })

  test('Ctrl-C ends it cleanly, and runs do not overlap however often the trigger fires', async (t) => {
    const place = watcher(t, [{ type: 'schedule', schedule: EVERY_SECOND }])
    const watching = start(place, ['watch', 'agent.json', '--rehearse', '--events', 'ndjson'])
    const ended = () => watching.out().match(/"end":/g)?.length ?? 0
    await until('two runs', () => ended() >= 2, 30_000)
    watching.child.kill('SIGINT')
    assert.equal(await watching.ended, 0, watching.err())
    // Each began when the one before had ended.
    let open = 0
    for (const { type, decision } of lines(watching.out())) {
      if (type === 'run.started') assert.equal(open++, 0)
      if (decision?.end !== undefined) open--
    }
  })

  test('SPEC-D-13: a page is fetched again after refresh_ttl_seconds; 0 fetches it once', async (t) => {
    let fetched = 0
    const server = createServer((request, response) => {
      if (request.url === '/page') fetched++
      response.end(`page ${fetched}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const value = `http://127.0.0.1:${port}/page`
    for (const ttl of [0, 1]) {
      fetched = 0
      const place = watcher(t, [{ type: 'schedule', schedule: EVERY_SECOND }], {
        context: [{ type: 'url', value, refresh_ttl_seconds: ttl }],
        runtime: { max_retries: 0 },
      })
      // No model answers there: only that runs start, and what they fetch, matters.
      const watching = start(place, [
        'watch',
        'agent.json',
        '--events',
        'ndjson',
        '--allow-host',
        `127.0.0.1:${port}`,
        '--base-url',
        `http://127.0.0.1:${port}/no-model`,
      ])
      const starts = () => watching.out().match(/run\.started/g)?.length ?? 0
      await until('three runs', () => starts() >= 3, 30_000)
      watching.child.kill('SIGINT')
      await watching.ended
      assert.ok(ttl === 0 ? fetched === 1 : fetched >= 2, `ttl ${ttl}: fetched ${fetched} times`)
    }
  })

  for (const concurrency of [1, 2])
    test(`a refreshed plan closes the connections of the old plan after its last run: concurrency ${concurrency}`, async (t) => {
      const model = new MailModel()
      await model.begin()
      t.after(() => model.server.stop())
      const server = createServer((_request, response) => response.end('page'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.after(() => server.close())
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const place = watcher(t, [{ type: 'schedule', schedule: EVERY_SECOND }], {
        context: [{ type: 'url', value: `http://${host}/page`, refresh_ttl_seconds: 1 }],
        tools: [{ ...DEFINITION.agent.tools[0], protocol: 'pigeon' }],
        runtime: { concurrency },
      })
      place.write('pigeons.mjs', PIGEONS)
      place.write('config.yaml', 'extensions: [./pigeons.mjs]')
      const watching = start(place, [
        ...['watch', 'agent.json', '--config', 'config.yaml', '--allow-host', host],
        ...model.flags,
      ])
      t.after(() => watching.child.kill('SIGKILL'))
      const log = () => {
        const path = join(place.folder, 'pigeons.log')
        return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
      }
      const opened = () => log().filter((line) => line === 'opened').length
      await until('four plans', () => opened() >= 4, 60_000)
      const closed = log().filter((line) => line !== 'opened')
      assert.ok(opened() - closed.length <= concurrency + 1, log().join(', '))
      assert.deepEqual(new Set(closed), new Set(['closed during 0 calls']))
      watching.child.kill('SIGINT')
      await watching.ended
      assert.equal(log().length, 2 * opened(), 'each connection is closed once')
    })
})

/** Logs when connections are opened and closed; a call takes longer than a text may be old. */
const PIGEONS = `import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const log = (line) => appendFileSync(new URL('./pigeons.log', import.meta.url), line + '\\n')
export const extension = {
  name: 'pigeons',
  toolProtocols: {
    pigeon: {
      reach: 'nothing',
      open: () => {
        let calls = 0
        log('opened')
        return {
          call: async () => {
            calls++
            await sleep(1300)
            calls--
            return {}
          },
          close: () => log('closed during ' + calls + ' calls'),
        }
      },
    },
  },
}
`
