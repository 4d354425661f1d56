import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type AgentDefinition, type InlineTool, openAgent, planRun, reviewPlan, run, tool } from 'waybill'
import { type ScriptedAnswer, scriptedModel } from 'waybill/testing'
import { z } from 'zod'
import { FunctionProcesses } from '../../src/adapters/functions/function-processes.ts'
import { loadToolModule } from '../../src/adapters/tools/tool-module.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { Place, waybill } from '../cli/fixture.ts'
import { root } from '../house/docs-fences.ts'

const ENV = { OPENAI_API_KEY: 'not-used' }
const CONTEXT = { signal: AbortSignal.timeout(60_000), idempotencyKey: 'k', headers: {} }
const NUMBER = {
  type: 'object',
  properties: { number: { type: 'string', minLength: 2 } },
  required: ['number'],
} as const

const clerk = (tools: readonly JsonObject[], members: JsonObject = {}): AgentDefinition =>
  ({
    sc_standard: 'SC-006',
    agent: {
      name: 'Clerk',
      goal: 'Help.',
      model: { provider: 'openai', preferred: 'gpt-4o' },
      tools: tools.map((one) => ({ description: 'Finds.', ...one })),
      ...members,
    },
  }) as unknown as AgentDefinition

const found = (parameters?: JsonObject): JsonObject => ({
  name: 'find',
  ...(parameters !== undefined && { parameters_schema: parameters }),
})

/** A tool that keeps what it gets. */
function finder(more: Partial<Parameters<typeof tool>[0]> = {}) {
  const got: unknown[] = []
  const find = tool({
    parameters: NUMBER as JsonObject,
    ...more,
    execute: (args, { idempotencyKey }) => {
      got.push(args)
      return { place: 'depot', key: idempotencyKey !== '' }
    },
  })
  return { got, find }
}

const call = (args: JsonObject): ScriptedAnswer => ({ calls: [{ tool: 'find', args }] })

/** Runs an agent that makes one call. @returns the failures of calls, as `CODE message` */
async function failuresOf(definition: AgentDefinition, find: InlineTool, args: JsonObject) {
  const failures: string[] = []
  const result = await run(definition, {
    env: ENV,
    tools: { find },
    modelPort: scriptedModel([call(args), 'Done.']),
    onEvent: ({ fact, decision }) => {
      if (fact.type === 'call.failed') failures.push(`${fact.code} ${fact.outcome} ${fact.message}`)
      for (const made of decision.calls ?? []) if (made.error) failures.push(JSON.stringify(made.result))
    },
  })
  assert.equal(result.status, 'completed')
  return failures
}

describe('tool()', () => {
  test('calls execute with the arguments and the context, and returns its result', async () => {
    const { got, find } = finder()
    assert.deepEqual(await find({ number: '1Z' }, CONTEXT), { place: 'depot', key: true })
    assert.deepEqual(got, [{ number: '1Z' }])
  })

  test('checks the arguments before execute is called', async () => {
    const { got, find } = finder()
    await assert.rejects(find({ number: '1' }, CONTEXT), {
      code: 'TOOL_ARGUMENTS_INVALID',
      outcome: 'unsent',
      message: /^the function does not accept the arguments: \/number: /,
    })
    assert.deepEqual(got, [])
  })

  test('without parameters it gets every argument', async () => {
    const echo = tool({ execute: (args) => args })
    assert.deepEqual(await echo({ any: [1] }, CONTEXT), { any: [1] })
  })

  const wrong: readonly (readonly [rule: string, options: unknown, code: string, words: RegExp])[] = [
    ['no function', {}, 'USAGE', /tool needs the option execute/],
    ['no options', undefined, 'USAGE', /the options of tool: an object is needed, not undefined/],
    ['a misspelt option', { readonly: true, execute: () => 0 }, 'USAGE', /tool has no option "readonly"/],
    ['readOnly as text', { readOnly: 'false', execute: () => 0 }, 'USAGE', /readOnly of tool is neither/],
    ['idempotent as text', { idempotent: 'no', execute: () => 0 }, 'USAGE', /idempotent of tool is neither/],
    ['no usable schema', { parameters: { type: 'objekt' }, execute: () => 0 }, 'SCHEMA_INVALID', /objekt/],
    ['no JSON data', { parameters: { type: () => 0 }, execute: () => 0 }, 'NOT_JSON', /function/],
    [
      'a schema of a library that writes no JSON Schema',
      { parameters: { '~standard': { vendor: 'own', validate: () => ({ value: 1 }) } }, execute: () => 0 },
      'SCHEMA_INVALID',
      /schema of own cannot be written as JSON Schema/,
    ],
    [
      'a schema that its library cannot write',
      { parameters: z.object({ n: z.bigint() }), execute: () => 0 },
      'SCHEMA_INVALID',
      /zod cannot write this schema/,
    ],
  ]
  for (const [rule, options, code, words] of wrong)
    test(`refuses ${rule}`, () =>
      assert.throws(() => tool(options as Parameters<typeof tool>[0]), { code, message: words }))

  test('a later change of its schema has no effect', async () => {
    const schema = structuredClone(NUMBER) as { properties: { number: { type: string } } }
    const find = tool({ parameters: schema, execute: () => null })
    schema.properties.number.type = 'integer'
    assert.equal(await find({ number: '1Z' }, CONTEXT), null)
    const plan = await planRun(clerk([found()]), { env: ENV, tools: { find } })
    assert.deepEqual(plan.tools[0]?.parameters_schema, NUMBER)
  })
})

describe('a schema of a library with Standard JSON Schema', () => {
  const parameters = z.object({
    number: z.string(),
    count: z.number().int().default(1),
    at: z.iso.date().optional(),
  })
  const make = () => {
    const got: unknown[] = []
    const find = tool({ readOnly: true, parameters, execute: (args) => void got.push(args) })
    return { got, find }
  }

  test('its library checks and converts the arguments', async () => {
    const { got, find } = make()
    await find({ number: '1Z' } as never, CONTEXT)
    assert.deepEqual(got, [{ number: '1Z', count: 1 }])
    await assert.rejects(find({ number: 1, count: 'x' } as never, CONTEXT), {
      code: 'TOOL_ARGUMENTS_INVALID',
      message: /\/number: .*; \/count: /,
    })
    await assert.rejects(find(null as never, CONTEXT), { message: /\(root\): / })
  })

  test('a path of segments is shown as a place', async () => {
    const own = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: async () => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0] }] }),
        jsonSchema: { input: () => ({ type: 'object' }) },
      },
    } as const
    await assert.rejects(tool({ parameters: own, execute: () => null })({} as never, CONTEXT), {
      message: /arguments: \/a\/0: no$/,
    })
  })

  test('the model sees it if the definition has no schema', async () => {
    const { got, find } = make()
    const definition = clerk([found()])
    const plan = await planRun(definition, { env: ENV, tools: { find } })
    const { properties, required } = plan.tools[0]?.parameters_schema ?? {}
    assert.deepEqual([Object.keys(properties as object), required], [['number', 'count', 'at'], ['number']])
    assert.deepEqual(await failuresOf(definition, find as InlineTool, { number: '1Z', count: 2 }), [])
    assert.deepEqual(got, [{ number: '1Z', count: 2 }])
  })
})

describe('a tool and the definition', () => {
  test('a missing parameters_schema is that of the function, and the run checks it', async () => {
    const { got, find } = finder()
    const definition = clerk([found()])
    const plan = await planRun(definition, { env: ENV, tools: { find } })
    assert.deepEqual(plan.tools[0]?.parameters_schema, NUMBER)
    const failures = await failuresOf(definition, find, { number: 7 })
    assert.match(failures.join(), /number/)
    assert.deepEqual(got, [])
  })

  test('the marks decide about the effect and the approval', async () => {
    const asks: JsonObject = { compliance: { human_in_the_loop: { enabled: true } } }
    const marks = [{}, { readOnly: true }, { idempotent: true }]
    const plans = await Promise.all(
      marks.map((more) => planRun(clerk([found()], asks), { env: ENV, tools: { find: finder(more).find } })),
    )
    assert.deepEqual(
      plans.map(({ tools: [one] }) => [one?.effect, one?.idempotent, one?.gate]),
      [
        ['write', false, 'ask'],
        ['read', false, 'allow'],
        ['write', true, 'ask'],
      ],
    )
  })

  test('a schema that no described call fits is refused, with both', async () => {
    const definition = clerk([
      found({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }),
    ])
    const { find } = finder()
    const plan = await planRun(definition, { env: ENV, tools: { find } })
    assert.deepEqual(
      plan.refusals.map(({ code, pointer, message }) => [code, pointer, message]),
      [
        [
          'TOOL_PARAMETERS_DIFFER',
          '/agent/tools/0/parameters_schema',
          'the function find accepts no call that the definition describes: /number: not declared in the definition, required in the function',
        ],
      ],
    )
    const { status, error } = await run(definition, {
      env: ENV,
      tools: { find },
      modelPort: scriptedModel([]),
    })
    assert.deepEqual([status, error?.code], ['refused', 'TOOL_PARAMETERS_DIFFER'])
  })

  test('a rehearsal is not refused, but reports it', async () => {
    const definition = clerk([found({ type: 'object', properties: {} })])
    const result = await run(definition, { rehearse: true, tools: { find: finder().find } })
    assert.equal(result.status, 'completed')
    assert.match(JSON.stringify(result.warnings), /accepts no call that the definition describes/)
  })

  test('a schema that some described calls do not fit is a warning, and such a call is not made', async () => {
    const definition = clerk([
      found({ type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }),
    ])
    const { got, find } = finder()
    const plan = await planRun(definition, { env: ENV, tools: { find } })
    assert.deepEqual(plan.refusals, [])
    assert.deepEqual(
      plan.degradations.map(({ path, reason }) => [path, reason]),
      [
        [
          '/agent/tools/0/parameters_schema',
          'the function find does not accept every call that the definition describes: /number: no minLength in the definition, minLength 2 in the function',
        ],
      ],
    )
    const failures = await failuresOf(definition, find, { number: '1' })
    assert.equal(failures.length, 1)
    assert.match(failures[0] ?? '', /^TOOL_ARGUMENTS_INVALID unsent/)
    assert.deepEqual(got, [])
  })

  test('a message lists at most five differences', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const of = (type: string) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type }])),
    })
    const { find } = finder({ parameters: of('integer') })
    const plan = await planRun(clerk([found(of('string'))]), { env: ENV, tools: { find } })
    assert.match(plan.degradations[0]?.reason ?? '', /; and 2 more$/)
    assert.match(plan.degradations[0]?.reason ?? '', /\/e: string in the definition/)
  })

  test('the same schema, and a function without one, give no warning', async () => {
    const plain: InlineTool = ({ number }: { number: string }) => number
    for (const find of [finder().find, plain]) {
      const plan = await planRun(clerk([found(NUMBER as unknown as JsonObject)]), {
        env: ENV,
        tools: { find },
      })
      assert.deepEqual([plan.degradations, plan.refusals], [[], []])
    }
  })

  test('the schema of a function for a tool of another protocol is not compared', async () => {
    const web = {
      name: 'find',
      protocol: 'http',
      endpoint: 'https://a.example/',
      parameters_schema: { type: 'object' },
    }
    const plan = await planRun(clerk([web]), {
      env: ENV,
      allowHosts: ['a.example'],
      tools: { find: finder().find },
    })
    assert.deepEqual(
      plan.degradations.map(({ path, reason }) => [path, reason]),
      [['/agent/tools/0', 'find is a tool of protocol http, so its function is not called']],
    )
  })

  const lacking: readonly (readonly [rule: string, names: readonly string[], reason: RegExp])[] = [
    ['with a similar name', ['findd'], /no tool of the definition is named findd, .*; did you mean find\?$/],
    [
      'of another name: with its declaration',
      ['book', 'find'],
      /named book, .*; declare it in agent\.tools: \{"name":"book","description":"Finds a parcel\.","parameters_schema":\{"type":"object",/,
    ],
  ]
  for (const [rule, names, reason] of lacking) {
    test(`a tool that the definition lacks is named, ${rule}`, async () => {
      const { find } = finder({ description: 'Finds a parcel.' })
      const tools = Object.fromEntries(names.map((name) => [name, find]))
      const plan = await planRun(clerk([found()]), { env: ENV, tools })
      const [note] = plan.degradations.filter(({ path }) => path === '/agent/tools/-')
      assert.match(note?.reason ?? '', reason)
    })
  }

  test('a name that is like that of a tool with a function is not proposed', async () => {
    const { find } = finder()
    const plan = await planRun(clerk([found()]), { env: ENV, tools: { find, findd: find } })
    assert.match(plan.degradations[0]?.reason ?? '', /named findd, .*; declare it in agent\.tools/)
  })

  test('a long schema is left out of the declaration', async () => {
    const { find } = finder({ parameters: { type: 'object', description: 'x'.repeat(2000) } })
    const plan = await planRun(clerk([]), { env: ENV, tools: { find } })
    assert.match(plan.degradations[0]?.reason ?? '', /agent\.tools: \{"name":"find","description":"…"\}$/)
  })

  test('a function that only a sub-agent calls is not reported', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'child.json'), JSON.stringify(clerk([found()], { name: 'Child' })))
    const chief = clerk([], { orchestration: { subagents: [{ ref: './child.json', alias: 'child' }] } })
    const plan = await planRun(chief, { env: ENV, folder, tools: { find: finder().find } })
    assert.deepEqual(
      plan.degradations.filter(({ path }) => path.startsWith('/agent/tools')),
      [],
    )
    const other = await planRun(chief, {
      env: ENV,
      folder,
      tools: { find: finder().find, book: finder().find },
    })
    const notes = other.degradations.filter(({ reason }) => reason.includes('is not called'))
    assert.deepEqual(
      notes.map(({ path, subagent }) => [path, subagent]),
      [['/agent/tools/-', undefined]],
    )
  })

  test('a reviewed plan does not depend on the words of a schema that is not used', async () => {
    const definition = clerk([found(NUMBER as unknown as JsonObject)])
    const reviewed = await reviewPlan(definition, { env: ENV, tools: { find: finder().find } })
    const other = finder({ parameters: { ...NUMBER, title: 'Other' } as unknown as JsonObject }).find
    await using agent = await openAgent(definition, { env: ENV, tools: { find: other }, plan: reviewed })
    assert.equal(agent.plan.refusals.length, 0)
  })
})

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tool-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const MODULE = `
import { tool } from ${JSON.stringify(pathToFileURL(join(root, 'src/index.ts')).href)}
export const tools = {
  find: tool({
    readOnly: true,
    parameters: { type: 'object', properties: { number: { type: 'string', minLength: 2 } }, required: ['number'] },
    execute: ({ number }) => ({ place: 'depot of ' + number }),
  }),
}
`

describe('tool() in a module of functions', () => {
  test('has its marks and its schema', async (t) => {
    const file = join(folderFor(t), 'tools.mjs')
    writeFileSync(file, MODULE)
    const { tools } = await loadToolModule(file)
    const one = tools.get('find')
    assert.deepEqual([one?.readOnly, one?.idempotent, one?.parameters], [true, false, NUMBER])
  })

  test('is planned by the command line, which reports no unused function', async (t) => {
    const place = new Place(t, clerk([{ ...found(), description: 'Finds.' }]))
    place.write('tools.mjs', `${MODULE}\nexport const other = 1\ntools.unused = () => null\n`)
    const { code, out } = await waybill(place, ['plan', 'agent.json', '--tools', 'tools.mjs', '--json'], {
      env: ENV,
    })
    const plan = JSON.parse(out)
    assert.deepEqual([code, plan.tools[0].effect, plan.degradations], [0, 'read', []])
  })

  test('has its schema in a process of its own, which refuses arguments', async (t) => {
    const file = join(folderFor(t), 'tools.mjs')
    writeFileSync(file, MODULE)
    const processes = new FunctionProcesses({ onLine: () => {} })
    t.after(() => processes.close())
    const { tools } = await processes.moduleOf(
      { name: 'm', file, env: {}, kept: { home: folderFor(t), closed: [] }, unrestricted: true },
      'org',
    )
    const find = tools.get('find')
    assert.deepEqual(find?.parameters, NUMBER)
    assert.deepEqual(await find?.call({ number: '1Z' }, CONTEXT), { place: 'depot of 1Z' })
    await assert.rejects(async () => find?.call({ number: '1' }, CONTEXT), {
      code: 'TOOL_ARGUMENTS_INVALID',
      outcome: 'unsent',
    })
  })
})
