import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DEFINITION, MailModel, Place, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script({ calls: false, answer: 'Good.' }))

const UNASKED = { ...DEFINITION, agent: { ...DEFINITION.agent, compliance: {} } }
const RUN = ['run', 'agent.json', '--tools', 'tools.mjs', '--json'] as const
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const LATIN = Buffer.from('Gr\xfc\xdfe', 'latin1')
const CUT = Buffer.from('日本').subarray(0, 5)
const UTF16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hello', 'utf16le')])

describe('input that is not UTF-8', () => {
  for (const [name, bytes] of Object.entries({ PNG, LATIN, CUT, UTF16 }))
    test(`is refused, and sent to no model: ${name}`, async (t) => {
      const place = new Place(t, UNASKED)
      writeFileSync(join(place.folder, 'in'), bytes)
      for (const [argv, stdin] of [
        [[...RUN, '@in'], undefined],
        [[...RUN, '--input', '@in'], undefined],
        [[...RUN, '--input', '-'], bytes],
        [[...RUN, '--batch', 'in'], undefined],
        [['chat', 'agent.json', '--tools', 'tools.mjs', '--json'], Buffer.concat([bytes, Buffer.from('\n')])],
        [['secret', 'set', 'CRM_KEY', '--host', 'crm.example.com', '--json'], bytes],
        [[...RUN, '--env-file', 'in', 'Go'], undefined],
      ] as const) {
        const more = argv[0] === 'secret' ? [] : model.flags
        const said = await waybill(place, [...argv, ...more], {
          ...(stdin !== undefined && { stdin }),
        } as never)
        assert.deepEqual(
          [said.code, JSON.parse(said.out).error.code],
          [2, 'ENCODING_NOT_UTF8'],
          `${argv.join(' ')}: ${said.err}`,
        )
      }
      assert.deepEqual(await place.runIds(), [])
    })

  test('text of any language, with a byte order mark and without a last line break, is input', async (t) => {
    const place = new Place(t, UNASKED)
    const text = Buffer.from('\uFEFFGrüße, 日本 👍🏽')
    writeFileSync(join(place.folder, 'in'), text)
    const said = await waybill(place, [...RUN, '@in', ...model.flags])
    assert.equal(said.code, 0, said.err)
    assert.equal(model.lastMessage(), 'Grüße, 日本 👍🏽')
    const piped = ['chat', 'agent.json', '--tools', 'tools.mjs', '--json', ...model.flags]
    const chat = await waybill(place, piped, { stdin: 'eins\r\n\nGrüße, 日本' } as never)
    assert.equal(chat.code, 0, chat.err)
    assert.equal(JSON.parse(chat.out).turns.length, 2)
    assert.equal(model.lastMessage(), 'Grüße, 日本')
  })
})
