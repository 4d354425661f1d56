import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { DEFINITION, Place, waybill } from './fixture.ts'

const TERMINAL = { outIsTty: true, errIsTty: true }
const READABLE_LINE = /^Night watch: completed /m
const READABLE = /^(?:1\/2|2\/2|Night watch:) completed [0-9a-f]{6,12} [\d.]+ m?s \[rehearsal\] .*\n/

function batch(t: TestContext): readonly [Place, readonly string[]] {
  const place = new Place(t)
  place.write('inputs.ndjson', '"one"\n"two"\n')
  return [place, ['run', 'agent.json', '--rehearse', '--batch', 'inputs.ndjson']]
}

function watched(t: TestContext): readonly [Place, readonly string[]] {
  const place = new Place(t, {
    ...DEFINITION,
    agent: {
      name: 'Night watch',
      goal: 'Look.',
      model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
      events: { triggers: [{ type: 'schedule', schedule: '* * * * * *' }] },
    },
  })
  return [place, ['watch', 'agent.json', '--rehearse', '--once']]
}

describe('results of many runs', () => {
  test('a batch prints a readable line for each run on a terminal, and JSON elsewhere', async (t) => {
    const [place, argv] = batch(t)
    const shown = await waybill(place, argv, TERMINAL)
    assert.equal(shown.code, 0)
    assert.match(shown.out, READABLE)
    assert.doesNotMatch(shown.out, /[{}]/)
    assert.equal(shown.out.match(/completed/g)?.length, 2)
    assert.doesNotMatch(shown.err, /1\/2/, 'each line is printed once')
    const piped = await waybill(place, argv)
    assert.equal(
      piped.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).status)
        .join(),
      'completed,completed',
    )
    assert.match(piped.err, READABLE)
    const json = await waybill(place, [...argv, '--json'], TERMINAL)
    assert.equal(JSON.parse(json.out).results.length, 2)
  })

  test('watch prints a readable line for each run on a terminal, and a line of JSON elsewhere', async (t) => {
    const [place, argv] = watched(t)
    const shown = await waybill(place, argv, TERMINAL)
    assert.match(shown.out, READABLE)
    assert.doesNotMatch(shown.out, /run_id/)
    assert.match(shown.err, /Night watch: schedule starts\n/)
    const { out } = await waybill(place, argv)
    assert.equal(JSON.parse(out).status, 'completed')
  })

  for (const more of [['--json'], ['--format', 'json']])
    test(`watch ${more.join(' ')} prints one JSON value at the end`, async (t) => {
      const [place, argv] = watched(t)
      const { out, err } = await waybill(place, [...argv, ...more], TERMINAL)
      assert.deepEqual(
        JSON.parse(out).results.map(({ status }: { status: string }) => status),
        ['completed'],
      )
      assert.match(err, READABLE_LINE)
    })

  test('watch --json cannot be combined with --events', async (t) => {
    const [place, argv] = watched(t)
    const { code } = await waybill(place, [...argv, '--json', '--events', 'ndjson'])
    assert.equal(code, 2)
  })
})
