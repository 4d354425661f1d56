import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openAgent } from 'waybill'
import { DEFINITION, GO, KEY, MailModel, Place, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const DEFINED = {
  ...DEFINITION,
  agent: { ...DEFINITION.agent, compliance: {}, events: { on_complete: 'done' } },
}
const BROKEN = `export const tools = {
  send_mail: async ({ to }) => refund({ to }),
}
export const hooks = {
  done: () => { throw new Error('no hook') },
}
function refund({ parcel }) {
  try {
    return parcel.y
  } catch (cause) {
    throw new Error('the key is ${KEY}', { cause })
  }
}
`

describe('the stack of an error in a function of the user', () => {
  test('is on standard error of a run, with causes and places, and without secrets', async (t) => {
    const place = new Place(t, DEFINED)
    place.write('tools.mjs', BROKEN)
    place.env.WAYBILL_KEY_CUSTOM = KEY
    const said = await waybill(place, [...GO, ...model.flags, '--json'])
    assert.match(said.err, /send_mail threw Error\n +at refund .*tools\.mjs:11/)
    assert.match(said.err, /caused by TypeError\n +at refund .*tools\.mjs:9/)
    assert.match(said.err, /done threw Error\n +at .*done .*tools\.mjs:5/)
    assert.doesNotMatch(said.err, new RegExp(KEY))
    assert.doesNotMatch(said.err, /node:internal/)
    assert.ok(!said.out.includes('tools.mjs:'), 'the model and the record get the message only')
    assert.ok(!place.homeText().includes('tools.mjs:11'))
  })

  test('is given to onFunctionError of the library, which prints nothing itself', async (t) => {
    const place = new Place(t)
    place.write('tools.mjs', BROKEN)
    const { tools } = await import(pathToFileURL(`${place.folder}/tools.mjs`).href)
    const errors: { readonly name: string; readonly stack: string }[] = []
    const agent = await openAgent(DEFINED as never, {
      tools,
      hooks: { done: () => undefined },
      model: 'custom/x',
      baseUrl: model.flags[model.flags.indexOf('--base-url') + 1] ?? '',
      env: {},
      onFunctionError: (error) => errors.push(error),
    })
    await agent.run('Go')
    await agent.close()
    assert.deepEqual(
      errors.map(({ name }) => name),
      ['send_mail'],
    )
    assert.match(errors[0]?.stack ?? '', /^Error\n +at refund .*tools\.mjs:11/)
  })

  for (const [thrown, shown] of [
    ["'text'", /send_mail threw a value of type string\n/],
    ['null', /send_mail threw a value of type object\n/],
    ['{ get stack() { throw 1 } }', /send_mail threw an error without a readable stack\n/],
    ["Object.assign(new Error('loop'), {}); e.cause = e; throw e", /send_mail threw Error\n/],
  ] as const)
    test(`of any thrown value: ${thrown}`, async (t) => {
      const place = new Place(t, { ...DEFINED, agent: { ...DEFINED.agent, events: {} } })
      const body = thrown.includes('throw e') ? `const e = ${thrown}` : `throw ${thrown}`
      place.write('tools.mjs', `export const tools = { send_mail: async () => { ${body} } }`)
      assert.match((await waybill(place, [...GO, ...model.flags])).err, shown)
    })
})
