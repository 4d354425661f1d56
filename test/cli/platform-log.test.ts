import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { logFormat, openPlatformLog } from '../../src/cli/platform/platform-log.ts'
import { serveFake } from '../server/served.ts'
import { Place, waybill } from './fixture.ts'

const PLANTED = {
  OPENAI_API_KEY: 'plainly-planted-key',
  CRM_TOKEN: 'plainly-planted-token',
  DATABASE_URL: 'postgres://waybill:planted%2Fpassword@db.example/waybill',
  WAYBILL_HOME: '/var/lib/waybill',
}
const WAYBILL_TOKEN = 'wbt_Q0tzWnF6bVJ5cHhLd2J2NGdJc2h6eEF1'

function logOf(format: 'text' | 'json') {
  let text = ''
  const io = { env: PLANTED, err: (more: string) => (text += more) }
  return { log: openPlatformLog(format, io as never), text: () => text }
}

describe('the log of the platform', () => {
  test('is one JSON object a line, or a readable line, without secrets of any form', () => {
    const cases = [
      ['the key plainly-planted-key', 'the key [secret OPENAI_API_KEY]'],
      ['bearer plainly-planted-token in\na header', 'bearer [secret CRM_TOKEN] in a header'],
      ['planted/password and planted%2Fpassword', '[secret DATABASE_URL] and [secret DATABASE_URL]'],
      [`token ${WAYBILL_TOKEN}.`, 'token [token].'],
      ['key sk-proj-Zr81mQpL0sVt3Xk9YwB7Nd2Hf5Gj1Kc4', /^key \[redacted /],
      ['in /var/lib/waybill', 'in /var/lib/waybill'],
      ['\u001b[31mred', 'red'],
      ['x'.repeat(2000), `${'x'.repeat(999)}…`],
    ] as const
    for (const [message, expected] of cases) {
      const [json, lines] = [logOf('json'), logOf('text')]
      const before = Date.now()
      json.log('warn', message, { request_id: 'r1', code: 'INTERNAL', hint: message })
      lines.log('error', message, { request_id: 'r1' })
      assert.match(json.text(), /^[^\n]*\n$/)
      const { time, level, ...entry } = JSON.parse(json.text())
      assert.ok(Date.parse(time) >= before && Date.parse(time) <= Date.now())
      assert.deepEqual([level, entry.request_id, entry.code], ['warn', 'r1', 'INTERNAL'])
      for (const text of [entry.message, entry.hint, lines.text().slice('error r1: '.length, -1)])
        if (typeof expected === 'string') assert.equal(text, expected)
        else assert.match(text, expected)
      assert.ok(lines.text().startsWith('error r1: '))
    }
    const plain = logOf('text')
    plain.log('info', 'ready')
    assert.equal(plain.text(), 'info: ready\n')
  })

  test('of a failed request has its id, and nothing of its headers and its body', async (t) => {
    const { log, text } = logOf('json')
    const served = await serveFake(t, {
      log: ({ id, message }) => log('error', message, { request_id: id ?? '' }),
    })
    const { platform, token, send } = served
    platform.tenant = () => {
      throw new Error(`broken for ${token} with plainly-planted-key`)
    }
    const headers = { 'x-planted': 'planted-header' }
    const answer = await send('POST', '/v1/agents', { token, json: { planted: 'planted-body' }, headers })
    assert.equal(answer.status, 500)
    const { level, message, request_id } = JSON.parse(text())
    assert.equal(level, 'error')
    assert.ok(JSON.stringify(answer.json).includes(request_id))
    assert.doesNotMatch(text(), /planted-header|planted-body|plainly-planted/)
    assert.match(message, /^broken for /)
  })

  test('has the format of --log, else of WAYBILL_LOG', async (t) => {
    assert.equal(logFormat(undefined, { env: {} }), 'text')
    assert.equal(logFormat(undefined, { env: { WAYBILL_LOG: '' } }), 'text')
    assert.equal(logFormat(undefined, { env: { WAYBILL_LOG: 'json' } }), 'json')
    assert.equal(logFormat('text', { env: { WAYBILL_LOG: 'json' } }), 'text')
    assert.throws(() => logFormat(undefined, { env: { WAYBILL_LOG: 'xml' } }), { code: 'USAGE' })
    const failed = await waybill(new Place(t), ['worker', '--log', 'json', '--config', 'missing.yaml'])
    const { level, code, hint } = JSON.parse(failed.err)
    assert.deepEqual([failed.code, level, code, typeof hint], [2, 'error', 'CONFIG_UNREADABLE', 'string'])
    assert.equal((await waybill(new Place(t), ['worker', '--log', 'xml'])).code, 2)
  })
})
