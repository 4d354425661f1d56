import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { DEFINITION, MailModel, Place, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script({ args: '{"to":"ada@example.org"}', answer: 'Sent to bob@example.org.' }))

const { compliance: _compliance, ...UNATTENDED } = DEFINITION.agent
const place = (t: TestContext) => new Place(t, { ...DEFINITION, agent: UNATTENDED })
const times = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

describe('warnings about personal data', () => {
  const input = 'Write to eve@example.org'

  test('are shown once, counted in the last line, and complete in `runs show`', async (t) => {
    const here = place(t)
    const flags = ['--tools', 'tools.mjs', ...model.flags]
    const { err } = await waybill(here, ['run', 'agent.json', input, ...flags])
    assert.match(err, /PII_DETECTED the input holds personal data/)
    assert.equal(times(err, /PII_DETECTED/g), 1, err)
    const [id = ''] = await here.runIds()
    const { out } = await waybill(here, ['runs', 'show', id])
    const all = times(out, /PII_DETECTED/g)
    assert.ok(all > 1, out)
    assert.match(err, new RegExp(`^completed · .* · ${all} warnings$`, 'm'))
  })

  test('are shown once in a conversation', async (t) => {
    const here = place(t)
    const chat = ['chat', 'agent.json', '--tools', 'tools.mjs', ...model.flags]
    const { err } = await waybill(here, chat, { stdin: `${input}\nPay to DE89370400440532013000\n` })
    assert.equal(times(err, /PII_DETECTED/g), 1, err)
    const [id = ''] = await here.runIds()
    const { out } = await waybill(here, ['runs', 'show', id])
    assert.match(out, /> Pay to [\s\S]*PII_DETECTED/, 'the second turn has a warning of its own')
  })
})

describe('other warnings', () => {
  const rehearse = ['run', 'agent.json', 'Go', '--rehearse']
  const [tool] = DEFINITION.agent.tools

  test('are all shown if they differ, and counted', async (t) => {
    for (const [names, counted] of [
      [['a'], '1 warning'],
      [['a', 'b'], '2 warnings'],
    ] as const) {
      const tools = names.map((name) => ({ ...tool, name }))
      const here = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, tools } })
      const { err } = await waybill(here, rehearse)
      assert.equal(times(err, /! APPROVAL_ASSUMED/g), names.length, err)
      assert.match(err, new RegExp(`^completed \\(rehearsal\\) .* · ${counted}$`, 'm'))
    }
  })

  test('a rehearsal is a banner, and no counted warning', async (t) => {
    const here = place(t)
    assert.match((await waybill(here, rehearse)).err, /^completed \(rehearsal\) .*\d m?s$/m)
    const { out } = await waybill(here, [...rehearse, '--json'])
    assert.deepEqual(
      JSON.parse(out).warnings.map(({ code }: { code: string }) => code),
      ['REHEARSAL'],
    )
  })
})
