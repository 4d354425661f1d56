import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openAgent, parseAgentDefinition } from 'waybill'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { DEFINITION, GO, MailModel, Place, ROOT, until, waybill } from './fixture.ts'

const URL_OF_ADDRESS = 'https://schemas.example/address.json'
const ADDRESS: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: URL_OF_ADDRESS,
  definitions: { street: { type: 'string', minLength: 3 } },
  type: 'object',
  properties: { street: { $ref: '#/definitions/street' }, country: { $ref: 'country.json' } },
  required: ['street'],
}

const clerkWith = (parameters_schema: Json, safety_level = 'standard') => ({
  ...DEFINITION,
  agent: {
    ...DEFINITION.agent,
    tools: [{ ...DEFINITION.agent.tools[0], parameters_schema }],
    compliance: { safety_level },
  },
})
const SENDS = { type: 'object', properties: { to: { $ref: `${URL_OF_ADDRESS}#/definitions/street` } } }

interface Planned {
  readonly ok: boolean
  readonly degradations: readonly { readonly path: string; readonly reason: string }[]
  readonly refusals: readonly { readonly message: string }[]
  readonly tools: readonly {
    readonly gate: string
    readonly reason?: string
    readonly parameters_schema: JsonObject
  }[]
}

async function planOf(place: Place, ...flags: string[]): Promise<Planned & { code: number }> {
  const { out, code } = await waybill(
    place,
    ['plan', 'agent.json', '--tools', 'tools.mjs', '--json', ...flags],
    { env: { WAYBILL_KEY_CUSTOM: 'k' } },
  )
  return { ...(JSON.parse(out) as Planned), code }
}

describe('schemas in other documents, on the command line', () => {
  test('a schema at a URL is a warning in validate and a degradation in the plan, and the agent rehearses', async (t) => {
    const place = new Place(t, clerkWith(SENDS))
    const checked = await waybill(place, ['validate', 'agent.json', '--json'])
    assert.equal(checked.code, 0)
    const [issue] = JSON.parse(checked.out).files[0].issues
    assert.deepEqual(
      [issue.severity, issue.code, issue.pointer],
      ['warning', 'SCHEMA_DOUBTFUL', '/agent/tools/0/parameters_schema/properties/to/$ref'],
    )
    assert.match(issue.hint, /--schema https:\/\/schemas\.example\/address\.json=FILE/)
    const plan = await planOf(place, '--rehearse')
    assert.equal(plan.code, 0)
    assert.deepEqual(
      plan.degradations.map(({ path }) => path),
      [issue.pointer],
    )
    assert.deepEqual(plan.tools[0]?.parameters_schema, { type: 'object', properties: { to: {} } })
    assert.equal(
      (await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go', '--json'])).code,
      0,
    )
  })

  test('a mapped file completes the schema: no warning, no degradation, and arguments are checked', async (t) => {
    const place = new Place(t, clerkWith(SENDS))
    place.write('address.json', JSON.stringify(ADDRESS))
    const map = ['--schema', `${URL_OF_ADDRESS}=address.json`]
    assert.deepEqual(
      JSON.parse((await waybill(place, ['validate', 'agent.json', '--json', ...map])).out).files[0].issues,
      [],
    )
    const plan = await planOf(place, ...map)
    assert.deepEqual(
      plan.degradations.filter(({ path }) => path.includes('schema')),
      [],
    )
    assert.deepEqual(plan.tools[0]?.parameters_schema, {
      type: 'object',
      properties: { to: { $ref: '#/$defs/street' } },
      $defs: { street: { type: 'string', minLength: 3 } },
    })
    const model = new MailModel()
    await model.begin()
    t.after(() => model.server.stop())
    model.script({ args: '{"to":"x"}' })
    const env = { WAYBILL_KEY_CUSTOM: 'k' }
    await waybill(place, [...GO, ...model.flags, ...map, '--json', '--budget', 'calls=4'], { env })
    assert.deepEqual(place.sent(), [])
    const offered = model.server.getRequests()[0]?.body as { tools?: { function: { parameters: unknown } }[] }
    assert.deepEqual(offered.tools?.[0]?.function.parameters, plan.tools[0]?.parameters_schema)
  })

  const ways: Readonly<Record<string, readonly [argv: readonly string[], stdin?: string]>> = {
    'run --batch': [['run', 'agent.json', '--batch', 'inputs.ndjson']],
    'run --detach': [['run', 'agent.json', '--input', 'Go', '--detach']],
    chat: [['chat', 'agent.json'], 'Go\n'],
    watch: [['watch', 'agent.json', '--once']],
  }
  for (const [way, [argv, stdin]] of Object.entries(ways)) {
    test(`${way} sends the mapped schema to the model, and checks arguments by it`, async (t) => {
      const clerk = clerkWith(SENDS)
      const events = { triggers: [{ type: 'schedule', schedule: '* * * * * *' }] }
      const place = new Place(t, { ...clerk, agent: { ...clerk.agent, events } })
      place.write('address.json', JSON.stringify(ADDRESS))
      place.write('inputs.ndjson', '"Go"\n')
      const model = new MailModel()
      await model.begin()
      t.after(() => model.server.stop())
      model.script({ args: '{"to":"x"}' })
      const flags = [...model.flags, '--tools', 'tools.mjs', '--budget', 'calls=4']
      await waybill(place, [...argv, ...flags, '--schema', `${URL_OF_ADDRESS}=address.json`], {
        env: { WAYBILL_KEY_CUSTOM: 'k' },
        ...(stdin !== undefined && { stdin }),
      })
      await until('the result of the tool', () => model.server.getRequests().length > 1)
      const offered = model.server.getRequests()[0]?.body as {
        readonly tools?: readonly { readonly function: { readonly parameters: JsonObject } }[]
      }
      assert.deepEqual(offered.tools?.[0]?.function.parameters.$defs, {
        street: { type: 'string', minLength: 3 },
      })
      assert.match(model.lastMessage(), /TOOL_ARGUMENTS_INVALID|at least 3|fewer than 3/)
      assert.deepEqual(place.sent(), [])
    })
  }

  test('a tool whose whole schema is not available is offered to the model with any object', async (t) => {
    const place = new Place(t, clerkWith({ $ref: URL_OF_ADDRESS }))
    const model = new MailModel()
    await model.begin()
    t.after(() => model.server.stop())
    await waybill(place, [...GO, ...model.flags, '--json', '--budget', 'calls=4'], {
      env: { WAYBILL_KEY_CUSTOM: 'k' },
    })
    const body = model.server.getRequests()[0]?.body as { tools?: { function: { parameters: unknown } }[] }
    // The APIs of OpenAI and Anthropic refuse a tool whose schema has no type.
    assert.deepEqual(body.tools?.[0]?.function.parameters, { type: 'object' })
  })

  test('the configuration maps schemas as well, with paths relative to its folder', async (t) => {
    const place = new Place(t, clerkWith(SENDS))
    place.write('address.json', JSON.stringify(ADDRESS))
    place.write('own.yaml', `schemas:\n  ${URL_OF_ADDRESS}: address.json\n`)
    const plan = await planOf(place, '--config', 'own.yaml')
    assert.deepEqual(
      plan.degradations.filter(({ path }) => path.includes('schema')),
      [],
    )
    const checked = await waybill(place, ['validate', 'agent.json', '--json', '--config', 'own.yaml'])
    assert.deepEqual(JSON.parse(checked.out).files[0].issues, [])
  })

  test('a resumed run uses the schema of its plan, also when the mapped file is gone', async (t) => {
    const place = new Place(t, {
      ...clerkWith(SENDS),
      agent: { ...clerkWith(SENDS).agent, compliance: { human_in_the_loop: { enabled: true } } },
    })
    place.write('address.json', JSON.stringify(ADDRESS))
    const model = new MailModel()
    await model.begin()
    t.after(() => model.server.stop())
    const env = { WAYBILL_KEY_CUSTOM: 'k' }
    const map = ['--schema', `${URL_OF_ADDRESS}=address.json`]
    const waits = await waybill(place, [...GO, ...model.flags, ...map, '--json'], { env })
    assert.equal(waits.code, 4, waits.out + waits.err)
    rmSync(join(place.folder, 'address.json'))
    await waybill(place, ['approvals', 'approve', 'last'], { env })
    const ended = await waybill(place, ['resume', 'last', '--json'], { env })
    assert.equal(ended.code, 0, ended.out + ended.err)
    assert.deepEqual(place.sent(), ['ada'])
  })

  test('at regulated, a tool that writes is denied while a part of its arguments is not available', async (t) => {
    const place = new Place(t, clerkWith(SENDS, 'regulated'))
    place.write('address.json', JSON.stringify(ADDRESS))
    const open = await planOf(place)
    assert.equal(open.tools[0]?.gate, 'deny')
    assert.match(open.tools[0]?.reason ?? '', /--schema https:\/\/schemas\.example\/address\.json=FILE/)
    assert.equal(open.code, 1)
    const mapped = await planOf(place, '--schema', `${URL_OF_ADDRESS}=address.json`)
    assert.notEqual(mapped.tools[0]?.gate, 'deny')
    const strict = new Place(t, clerkWith(SENDS, 'strict'))
    assert.notEqual((await planOf(strict)).tools[0]?.gate, 'deny')
  })

  test('a relative path is read in the folder of the definition, and not outside of it', async (t) => {
    const reads = async ($ref: string) => {
      const place = new Place(t, clerkWith({ type: 'object', properties: { to: { $ref } } }))
      mkdirSync(join(place.folder, 'schemas'))
      place.write('schemas/address.json', JSON.stringify({ ...ADDRESS, $id: 'address.json' }))
      place.write('schemas/country.json', '{"type": "string", "maxLength": 2}')
      place.write('.hidden.json', '{"type": "string"}')
      return planOf(place)
    }
    const inside = await reads('./schemas/address.json')
    assert.deepEqual(
      inside.degradations.filter(({ path }) => path.includes('schema')),
      [],
    )
    assert.ok(JSON.stringify(inside.tools[0]?.parameters_schema).includes('"maxLength":2'))
    for (const $ref of [
      '../secret.json',
      '/etc/passwd',
      '.hidden.json',
      'missing.json',
      'file:///etc/passwd',
    ]) {
      const { degradations } = await reads($ref)
      assert.equal(degradations.filter(({ path }) => path.endsWith('/to/$ref')).length, 1, $ref)
    }
  })

  test('a mapped file that cannot be used is an error with a hint', async (t) => {
    const place = new Place(t, clerkWith(SENDS))
    place.write('broken.json', '{"type": "strng"}')
    place.write('text.json', '[1, 2]')
    const cases = [
      [`${URL_OF_ADDRESS}=missing.json`, 'SCHEMA_FILE_INVALID'],
      [`${URL_OF_ADDRESS}=broken.json`, 'SCHEMA_FILE_INVALID'],
      [`${URL_OF_ADDRESS}=text.json`, 'SCHEMA_FILE_INVALID'],
      [`${URL_OF_ADDRESS}=.`, 'SCHEMA_FILE_INVALID'],
      [`${URL_OF_ADDRESS}=/dev/zero`, 'SCHEMA_FILE_INVALID'],
      [URL_OF_ADDRESS, 'SCHEMA_MAPPING_INVALID'],
      [`${URL_OF_ADDRESS}#/a=broken.json`, 'SCHEMA_MAPPING_INVALID'],
      ['=broken.json', 'SCHEMA_MAPPING_INVALID'],
    ]
    for (const [mapping = '', code] of cases) {
      for (const command of ['validate', 'plan']) {
        const argv = [command, 'agent.json', '--json', '--schema', mapping]
        const said = await waybill(place, argv)
        assert.equal(said.code, 2, mapping)
        const { error } = JSON.parse(said.out)
        assert.deepEqual([error.code, typeof error.hint], [code, 'string'], mapping)
      }
    }
  })

  test('the library maps a URL to a schema or to a file', async (t) => {
    const place = new Place(t)
    place.write('address.json', JSON.stringify(ADDRESS))
    for (const schema of [ADDRESS, join(place.folder, 'address.json')]) {
      const agent = await openAgent(parseAgentDefinition(clerkWith(SENDS) as unknown as Json), {
        env: {},
        rehearse: true,
        schemas: { [URL_OF_ADDRESS]: schema },
      })
      assert.ok(JSON.stringify(agent.plan.tools[0]?.parameters_schema).includes('"minLength":3'))
      await agent.close()
    }
  })
})

const _DATA = process.env.WAYBILL_TEST_DATA ?? join(ROOT, '../shared')
