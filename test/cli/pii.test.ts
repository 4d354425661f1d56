import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { DEFINITION, KEY, MailModel, Place, waybill } from './fixture.ts'

const EMAIL = 'ada@example.com'
const PHONE = '+49 151 23456789'
const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

function place(t: TestContext, handling: string): Place {
  const { compliance } = DEFINITION.agent
  const agent = { ...DEFINITION.agent, compliance: { ...compliance, pii_handling: handling } }
  const made = new Place(t, { ...DEFINITION, agent })
  made.env.WAYBILL_KEY_CUSTOM = KEY
  return made
}

const RUN = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', `mail ${EMAIL} or ${PHONE}`, '--json']

describe('waybill pii', () => {
  test('AAIF-4.9-07: placeholders stay the same after a resume, and only the tool gets the value', async (t) => {
    const at = place(t, 'anonymize')
    model.script({
      args: '{"to":"[email:1]"}',
      answer: `Sent to [email:1], not ${EMAIL.toUpperCase()}; bob@example.org`,
    })
    const first = await waybill(at, [...RUN, ...model.flags])
    assert.equal(first.code, 4, first.err)
    const { run_id } = JSON.parse(first.out)
    const approved = await waybill(at, ['approvals', 'approve', run_id, '--why', `said ${EMAIL}`])
    assert.equal(approved.code, 0, approved.err)
    const resumed = await waybill(at, ['resume', run_id, '--json'])
    assert.equal(resumed.code, 0, resumed.err)
    assert.equal(JSON.parse(resumed.out).output, 'Sent to [email:1], not [email:1]; [email:2]')
    assert.deepEqual(at.sent(), [EMAIL])
    const asked = JSON.stringify(model.server.getRequests().map(({ body }) => body))
    for (const value of [EMAIL, PHONE, 'bob@example.org'])
      for (const text of [at.homeText(), asked, first.out, first.err, resumed.out, resumed.err])
        assert.equal(text.toLowerCase().includes(value), false, value)

    const revealed = await waybill(at, ['pii', 'reveal', run_id.slice(0, 13), '--json'])
    assert.deepEqual(JSON.parse(revealed.out).values, [
      { placeholder: '[email:1]', kind: 'email', value: EMAIL },
      { placeholder: '[phone:1]', kind: 'phone', value: PHONE },
      { placeholder: '[email:2]', kind: 'email', value: 'bob@example.org' },
    ])
    const output = await waybill(at, ['pii', 'reveal', run_id, '--output'])
    assert.equal(output.out, `Sent to ${EMAIL}, not ${EMAIL}; bob@example.org\n`)

    const key = join(at.home, 'keys/pii', `${run_id}.key`)
    assert.equal(statSync(key).mode & 0o777, 0o600)
    assert.equal(statSync(at.database).mode & 0o777, 0o600)
    const removed = await waybill(at, ['runs', 'rm', run_id])
    assert.equal(removed.code, 0)
    assert.equal(existsSync(key), false)
  })

  test('without the key of the run, nothing is revealed, and resume reports why it cannot continue', async (t) => {
    const at = place(t, 'anonymize')
    model.script({ args: '{"to":"[email:1]"}' })
    const { run_id } = JSON.parse((await waybill(at, [...RUN, ...model.flags])).out)
    rmSync(join(at.home, 'keys/pii', `${run_id}.key`))
    for (const argv of [
      ['pii', 'reveal', run_id, '--json'],
      ['resume', run_id, '--json'],
    ]) {
      const said = await waybill(at, argv)
      assert.equal(said.code, 3)
      assert.equal(JSON.parse(said.out).error.code, 'PII_VALUES_UNREADABLE')
    }
    assert.deepEqual(at.sent(), [])
  })

  test('a key of the operator encrypts; another key decrypts nothing', async (t) => {
    const key = Buffer.alloc(32, 3).toString('base64')
    for (const handling of ['encrypt', 'anonymize']) {
      const at = place(t, handling)
      at.write('config.yaml', 'pii: { key_env: MY_KEY }\n')
      const flags = [...model.flags, '--config', 'config.yaml']
      const without = await waybill(at, [...RUN, ...flags])
      assert.equal(without.code, 1)
      assert.equal(JSON.parse(without.out).error.code, 'PII_KEY_MISSING')
      at.env.MY_KEY = key
      model.script({ calls: false, answer: `I know ${EMAIL}` })
      const ran = await waybill(at, [...RUN, ...flags])
      assert.equal(ran.code, 0, ran.err)
      const { run_id, output } = JSON.parse(ran.out)
      assert.match(output, handling === 'encrypt' ? /^I know pii:v2:/ : /^I know \[email:1\]$/)
      assert.equal(existsSync(join(at.home, 'keys/pii', `${run_id}.key`)), false)
      for (const text of [at.homeText(), ran.out, ran.err])
        for (const value of [EMAIL, PHONE, key]) assert.equal(text.includes(value), false)
      const revealed = JSON.parse((await waybill(at, ['pii', 'reveal', run_id, '--json'])).out)
      assert.deepEqual(
        revealed.values.map(({ value }: { value: string }) => value),
        [EMAIL, PHONE],
      )
      at.env.MY_KEY = Buffer.alloc(32, 4).toString('base64')
      const other = await waybill(at, ['pii', 'reveal', run_id, '--json'])
      assert.equal(JSON.parse(other.out).error.code, 'PII_VALUES_UNREADABLE')
    }
  })

  test('no text reaches the terminal before personal data is removed', async (t) => {
    const at = place(t, 'anonymize')
    model.script({ calls: false, answer: `Line one is ${EMAIL}\nand line two ${PHONE}.` })
    const { outIsTty, errIsTty } = { outIsTty: true, errIsTty: true }
    const ran = await waybill(at, [...RUN.slice(0, -1), ...model.flags], { outIsTty, errIsTty })
    assert.equal(ran.code, 0, ran.err)
    const shown = ran.out + ran.err
    assert.match(shown, /Line one is \[email:1\]/)
    for (const part of ['ada@', '@example', '23456789']) assert.equal(shown.includes(part), false, part)
  })

  test('a rehearsal handles personal data like a run, and needs no key', async (t) => {
    for (const handling of ['anonymize', 'encrypt', 'reject']) {
      const at = place(t, handling)
      const said = await waybill(at, [...RUN, '--rehearse'])
      const result = JSON.parse(said.out)
      assert.equal(result.status, handling === 'reject' ? 'refused' : 'completed', said.out)
      assert.equal(at.homeText().includes(EMAIL), false)
      assert.equal(said.out.includes(EMAIL), false)
    }
  })

  test('the plan shows the handling of personal data, and personal data in the prompt', async (t) => {
    const at = place(t, 'anonymize')
    const definition = JSON.parse(readFileSync(join(at.folder, 'agent.json'), 'utf8'))
    definition.agent.goal = 'Help, or send them to help@example.com.'
    at.write('agent.json', JSON.stringify(definition))
    const json = await waybill(at, ['plan', 'agent.json', '--json'])
    const { pii } = JSON.parse(json.out)
    assert.equal(pii.handling, 'anonymize')
    assert.deepEqual(pii.in_system_prompt, [{ kind: 'email', count: 1 }])
    const text = await waybill(at, ['plan', 'agent.json'])
    assert.match(
      text.out,
      /Personal data\n {2}is replaced by placeholders.*\n.*1 email; it is sent unchanged, because the author wrote it/,
    )
  })

  test('a stored decision contains no personal data either', async (t) => {
    const at = place(t, 'anonymize')
    model.script({ args: '{"to":"[email:1]"}' })
    const { run_id } = JSON.parse((await waybill(at, [...RUN, ...model.flags])).out)
    await waybill(at, ['approvals', 'deny', run_id, '--why', `call ${PHONE} first`])
    const [left] = await at.withHome(({ runs }) => runs.decisions(run_id))
    assert.equal(left?.why, 'call [phone withheld] first')
    assert.equal(at.homeText().includes(PHONE), false)
  })
})
