import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DEFINITION, GO, KEY, MailModel, Place, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const { compliance: _none, ...unasked } = DEFINITION.agent
const UNASKED = { ...DEFINITION, agent: unasked }
const run = (...more: string[]) => [...GO, ...model.flags, ...more]

describe('waybill run', () => {
  test('in a pipe, standard output is only the output, and standard error has plain lines', async (t) => {
    const place = new Place(t, UNASKED)
    const { code, out, err } = await waybill(place, run())
    assert.equal(code, 0)
    assert.equal(out, 'It is sent.\n')
    assert.deepEqual(place.sent(), ['ada'])
    assert.match(err, /^Clerk · custom\/x · run /)
    assert.match(err, /→ send_mail \(write\) to="ada"/)
    assert.match(err, /✓ send_mail \d+ ms/)
    assert.match(err, /completed · custom\/x · 22 tokens in, 10 out/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    assert.doesNotMatch(out + err, /[\x1b\r]/)
  })

  test('with --json standard output is exactly one JSON value', async (t) => {
    const { code, out } = await waybill(new Place(t, UNASKED), run('--json'))
    assert.equal(code, 0)
    const result = JSON.parse(out)
    assert.equal(result.status, 'completed')
    assert.equal(result.output, 'It is sent.')
    assert.equal(result.usage.tool_calls, 1)
  })

  test('--events ndjson prints only events, one per line', async (t) => {
    const { out } = await waybill(new Place(t, UNASKED), run('--events', 'ndjson'))
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['run.started', 'model.answered', 'call.answered', 'model.answered'],
    )
    assert.deepEqual(
      events.map(({ seq }) => seq),
      [1, 2, 3, 4],
    )
    assert.ok(events.every(({ v, run_id, at }) => v === 1 && run_id !== undefined && at.endsWith('Z')))
  })

  test('--events ndjson escapes control characters, and the value stays the same', async (t) => {
    // C1 controls (CSI, OSC), DEL, and bidirectional overrides.
    const answer = 'a\u009b31m b\u009d0;title\u007f c\u202etxt.exe\u2066'
    model.script({ answer })
    const { out } = await waybill(new Place(t, UNASKED), run('--events', 'ndjson'))
    assert.doesNotMatch(out, /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    const last = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')
    assert.ok(JSON.stringify(last).includes(answer))
  })

  test('on a terminal, streamed text is not printed again', async (t) => {
    const { out } = await waybill(new Place(t, UNASKED), run(), { outIsTty: true, errIsTty: true })
    assert.equal(out, 'It is sent.\n')
  })

  test('JSON output is printed with indentation', async (t) => {
    model.script({ answer: '{"sent":true}' })
    const schema = { type: 'object', properties: { sent: { type: 'boolean' } }, required: ['sent'] }
    const place = new Place(t, { ...UNASKED, agent: { ...unasked, io: { output_schema: schema } } })
    const { out } = await waybill(place, run(), { outIsTty: true, errIsTty: true })
    assert.equal(out, '{\n  "sent": true\n}\n')
  })

  test('no escape sequence of a model, an argument or a name reaches a terminal', async (t) => {
    const evil = '\x1b]0;owned\x07\x1b[2J\x9b31mred\x1b[0m\rover'
    model.script({ answer: `Sent${evil}`, args: JSON.stringify({ to: evil }) })
    const place = new Place(t, { ...UNASKED, agent: { ...unasked, name: `Clerk${evil}` } })
    for (const choices of [{ outIsTty: true, errIsTty: true }, { errIsTty: true }]) {
      const { out, err } = await waybill(place, run(), choices)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
      assert.doesNotMatch(choices.outIsTty ? out + err : err, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
      assert.match(out, /Sent/)
    }
    const shown = await waybill(place, ['runs', 'show', (await place.runIds())[0] ?? ''], { outIsTty: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    assert.doesNotMatch(shown.out, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
    // The machine form keeps the value, and escapes what a terminal would obey.
    const json = await waybill(place, run('--json'), { outIsTty: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    assert.doesNotMatch(json.out, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
    assert.equal(JSON.parse(json.out).output, `Sent${evil}`)
  })

  test('a key that the model repeats is not shown, streamed, printed or recorded', async (t) => {
    model.script({ answer: `Your key is ${KEY}, I think.`, args: JSON.stringify({ to: KEY }) })
    const env = { WAYBILL_KEY_CUSTOM: KEY }
    for (const choices of [{ env }, { env, outIsTty: true, errIsTty: true }]) {
      const place = new Place(t, UNASKED)
      const { code, out, err } = await waybill(place, run(), choices)
      assert.equal(code, 0)
      assert.match(out, /Your key is \[secret WAYBILL_KEY_CUSTOM\], I think/)
      const json = await waybill(place, run('--json'), choices)
      // The server double hides the header's value, and says so: the key did go out.
      assert.equal(model.server.getRequests().at(-1)?.headers.authorization, '[REDACTED]')
      assert.equal((out + err + json.out + json.err + place.homeText()).includes(KEY), false)
    }
  })

  test('a rehearsal is marked as such, in text and in JSON', async (t) => {
    const place = new Place(t)
    const person = await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go'])
    assert.equal(person.code, 0)
    assert.match(person.err, /REHEARSAL/)
    assert.match(person.err, /completed \(rehearsal\)/)
    const program = await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go', '--json'])
    assert.equal(JSON.parse(program.out).rehearsal, true)
    assert.match(program.err, /REHEARSAL/)
  })

  test('retries and fallbacks are shown with the reason', async (t) => {
    model.server.clearFixtures()
    let asked = 0
    model.server.addFixture({
      match: {},
      response: () =>
        asked++ === 0 ? { error: { message: 'overloaded' }, status: 503 } : { content: 'Here.' },
    })
    const { code, err } = await waybill(new Place(t, UNASKED), run())
    assert.equal(code, 0)
    assert.match(err, /↻ retrying custom\/x in 500 ms \(.*503/s)
  })
})
