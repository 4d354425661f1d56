import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type AgentDefinition, type InlineTool, planRun, type RunEvent, type RunOptions, run } from 'waybill'
import { positives } from '../../bench/pii/positives.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { createPiiHandler } from '../../src/run/drive/pii-handler.ts'
import { PiiValues } from '../../src/run/drive/pii-values.ts'
import type { Fact } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { ModelAnswer, ModelRequest } from '../../src/run/ports.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'
import { agent, calls, runFamily, text } from './family.ts'
import { definition, ENV, planOf, programOf, SETTINGS } from './fixture.ts'

const EMAIL = 'ada@example.com'
const PHONE = '+49 151 23456789'
const CARD = '4111 1111 1111 1111'
const SPELLED = 'Ada@Example.com'
const KEY = Buffer.alloc(32, 5).toString('base64')

type Script = readonly (ModelAnswer | ((request: ModelRequest) => ModelAnswer))[]

interface Went {
  readonly result: Awaited<ReturnType<typeof run>>
  readonly requests: readonly ModelRequest[]
  readonly events: readonly RunEvent[]
  /** The arguments of each call. */
  readonly made: readonly JsonObject[]
  /** Every file of the record. */
  readonly disk: string
  readonly shown: string
}

async function go(
  t: TestContext,
  handling: string,
  script: Script,
  {
    input = 'hello',
    answer = 'sent',
    members = {},
    options = {},
  }: { input?: Json; answer?: Json; members?: JsonObject; options?: Partial<RunOptions> } = {},
): Promise<Went> {
  const home = mkdtempSync(join(tmpdir(), 'waybill-pii-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const requests: ModelRequest[] = []
  const events: RunEvent[] = []
  const made: JsonObject[] = []
  let shown = ''
  const send: InlineTool = Object.assign(
    (args: never) => {
      made.push(args)
      return answer
    },
    { readOnly: true },
  )
  const root = definition({
    tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
    compliance: { pii_handling: handling },
    ...members,
  }) as AgentDefinition
  const result = await run(root, {
    input,
    tools: { send },
    home,
    env: { OPENAI_API_KEY: 'not-used', PII_KEY: KEY },
    onEvent: (event) => events.push(event),
    onText: (delta) => {
      shown += delta
    },
    modelPort: {
      async ask(request, { onText }) {
        const next = script[requests.length]
        requests.push(request)
        assert.ok(next !== undefined, `the script has no answer number ${requests.length}`)
        const given = typeof next === 'function' ? next(request) : next
        for (const character of given.message.text) onText?.(character)
        return given
      },
    },
    ...options,
  })
  const files = globSync(join(home, '**/*')).filter((path) => statSync(path).isFile())
  const disk = files.map((path) => readFileSync(path, 'utf8')).join('\n')
  assert.ok(disk.includes(result.run_id), 'the record is among what is looked through')
  return { result, requests, events, made, disk, shown }
}

function conversation(went: Went): string {
  return JSON.stringify(went.requests.map(({ messages }) => messages))
}

function everywhere({ result, events, disk, shown }: Went): string {
  return JSON.stringify([result, events]) + disk + shown
}

const CALL = calls(['a', 'send', { to: '[email:1]' }])

describe('AAIF §4.9 pii_handling', () => {
  test('SPEC-D-24, AAIF-4.9-13: detect is the default; personal data is counted and not changed', async (t) => {
    const went = await go(t, 'detect', [text(`I wrote to ${EMAIL}.`)], { input: `mail ${EMAIL}` })
    assert.equal(planOf().pii?.handling, 'detect')
    assert.equal(went.result.output, `I wrote to ${EMAIL}.`)
    assert.match(conversation(went), /ada@example\.com/)
    const [started] = went.events
    assert.deepEqual(started?.fact.type === 'run.started' && started.fact.pii, [
      { kind: 'email', at: '/input', count: 1 },
    ])
    const warnings = went.result.warnings.filter(({ code }) => code === 'PII_DETECTED')
    assert.equal(warnings.length, 2)
    assert.equal(JSON.stringify(warnings).includes('ada'), false)
  })

  test('AAIF-4.9-13: none does not search', async (t) => {
    const went = await go(t, 'none', [text('x')], { input: `mail ${EMAIL}` })
    assert.deepEqual(went.result.warnings, [])
    assert.equal('pii' in (went.events[0]?.fact ?? {}), false)
  })

  test('AAIF-4.9-07, AAIF-4.9-13: anonymize keeps data from model, record, stream and output; the tool gets the real value', async (t) => {
    const went = await go(t, 'anonymize', [CALL, text(`[email:1] has ${PHONE}.\nThe card is ${CARD}`)], {
      input: { who: EMAIL, again: SPELLED },
      answer: { owner: EMAIL, phone: PHONE, 'bob@example.org': [CARD] },
    })
    assert.deepEqual(went.made, [{ to: EMAIL }])
    for (const value of [EMAIL, SPELLED, PHONE, CARD, 'bob@example.org'])
      for (const place of [conversation(went), everywhere(went)])
        assert.equal(place.includes(value), false, value)
    assert.equal(went.result.output, '[email:1] has [phone:1].\nThe card is [card:1]')
    assert.equal(went.shown, '[email:1] has [phone:1].\nThe card is [card:1]')
    assert.match(conversation(went), /"who\\":\\"\[email:1\]\\",\\"again\\":\\"\[email:1\]/)
    const answered = went.events.find(({ fact }) => fact.type === 'call.answered')?.fact
    assert.deepEqual(answered?.type === 'call.answered' && answered.result, {
      owner: '[email:1]',
      phone: '[phone:1]',
      '[email:2]': ['[card:1]'],
    })
    assert.deepEqual(answered?.type === 'call.answered' && answered.pii?.map(({ at }) => at), [
      '/result/owner',
      '/result/phone',
      '/result/*',
      '/result/*/*',
    ])
    assert.equal(went.result.warnings.filter(({ code }) => code === 'PII_ANONYMIZED').length, 1)
  })

  test('AAIF-4.9-07, AAIF-4.9-13: encrypt does the same with sealed values', async (t) => {
    const went = await go(
      t,
      'encrypt',
      [
        ({ messages }) => {
          const sealed = /pii:v2:\S+/.exec(messages[0]?.role === 'user' ? messages[0].text : '')?.[0] ?? ''
          return calls(['a', 'send', { to: `<${sealed}>` }])
        },
        text(`ask ${EMAIL}`),
      ],
      { input: `mail ${EMAIL}`, answer: `done, ${EMAIL}`, options: { pii: { key_env: 'PII_KEY' } } },
    )
    assert.deepEqual(went.made, [{ to: `<${EMAIL}>` }])
    for (const place of [conversation(went), everywhere(went)]) {
      assert.equal(place.includes(EMAIL), false)
      assert.equal(place.includes(KEY), false)
    }
    assert.match(String(went.result.output), /^ask pii:v2:[A-Za-z0-9+/]+==$/)
    assert.equal(new Set(everywhere(went).match(/pii:v2:[A-Za-z0-9+/]+==/g)).size, 1)
  })

  test('encrypt without a key is refused, with a hint; a rehearsal needs no key', async () => {
    const encrypt = { compliance: { pii_handling: 'encrypt' } }
    const [missing] = planOf(encrypt).refusals
    assert.equal(missing?.code, 'PII_KEY_MISSING')
    assert.match(missing?.hint ?? '', /key_env/)
    const weak = await planRun(definition(encrypt), { env: ENV, pii: { key_env: 'OPENAI_API_KEY' } })
    assert.equal(weak.refusals[0]?.code, 'PII_KEY_INVALID')
    assert.deepEqual(planOf(encrypt, { rehearsal: true }).refusals, [])
    assert.deepEqual(SETTINGS.pii, undefined)
  })

  test('AAIF-4.9-07: reject refuses an input, and asks no model', async (t) => {
    const went = await go(t, 'reject', [], { input: { note: `call ${PHONE}, ${EMAIL}` } })
    assert.equal(went.requests.length, 0)
    assert.equal(went.result.status, 'refused')
    assert.equal(went.result.error?.code, 'PII_REJECTED')
    assert.match(went.result.error?.message ?? '', /1 phone \(\/input\/note\), 1 email \(\/input\/note\)/)
    for (const value of [PHONE, EMAIL]) assert.equal(everywhere(went).includes(value), false)
  })

  test('AAIF-4.9-07, AAIF-4.9-13: reject withholds a tool’s answer with personal data, and sends no call with personal data', async (t) => {
    const went = await go(
      t,
      'reject',
      [
        calls(['a', 'send', { to: 'x' }]),
        calls(['b', 'send', { to: EMAIL }], ['c', 'send', { to: 'y' }]),
        text(`It is ${EMAIL}.`),
        text('I do not say.'),
      ],
      { answer: { list: [EMAIL, EMAIL] } },
    )
    assert.deepEqual(went.made, [{ to: 'x' }, { to: 'y' }])
    assert.equal(everywhere(went).includes(EMAIL), false)
    assert.equal(conversation(went).includes(EMAIL), false)
    const shown = JSON.stringify(went.requests[1]?.messages)
    assert.match(shown, /PII_REJECTED: the tool answered.*2 email \(\/result\/list\/\*\)/)
    assert.match(
      JSON.stringify(went.requests[2]?.messages),
      /arguments hold personal data, so the tool was not called/,
    )
    // The final answer was requested again, and no text was shown before it had passed.
    assert.match(JSON.stringify(went.requests[3]?.messages.at(-1)), /personal data \(email\)/)
    assert.equal(went.result.output, 'I do not say.')
    assert.equal(went.shown, '')
  })

  test('reject: an answer that still holds personal data ends the run', async (t) => {
    const went = await go(t, 'reject', [text(EMAIL), text(EMAIL)])
    assert.equal(went.result.status, 'refused')
    assert.equal(went.result.error?.code, 'PII_REJECTED')
    assert.equal(everywhere(went).includes(EMAIL), false)
    const strict = await go(t, 'reject', [text(EMAIL)], {
      members: { compliance: { pii_handling: 'reject', safety_level: 'strict' } },
    })
    assert.equal(strict.result.error?.code, 'PII_REJECTED')
  })

  test('schemas are checked against the real values', async (t) => {
    const pattern = { type: 'string', pattern: '^[^@]+@[^@]+$' }
    const schema = (name: string) => ({ type: 'object', properties: { [name]: pattern }, required: [name] })
    const tool = {
      name: 'send',
      description: 'Sends.',
      parameters_schema: schema('to'),
      output_schema: schema('from'),
    }
    const members = { tools: [tool], io: { input_schema: schema('who') } }
    const went = await go(t, 'anonymize', [CALL, text('ok')], {
      input: { who: EMAIL },
      answer: { from: 'bob@example.org' },
      members,
    })
    assert.equal(went.result.output, 'ok')
    assert.deepEqual(went.made, [{ to: EMAIL }])
    const answered = went.events.find(({ fact }) => fact.type === 'call.answered')
    assert.equal(answered?.decision.done?.error, undefined)
    // An unknown placeholder matches no schema.
    const made = await go(t, 'anonymize', [calls(['a', 'send', { to: '[email:9]' }]), text('ok')], {
      input: { who: EMAIL },
      members,
    })
    assert.deepEqual(made.made, [])
  })

  test('messages of failed tools and parts that only the provider understands are cleaned too', async (t) => {
    const broken: InlineTool = Object.assign(
      () => {
        throw new Error(`no one is called ${EMAIL}`)
      },
      { readOnly: true },
    )
    const first: ModelAnswer = {
      ...calls(['a', 'send', {}]),
      message: {
        role: 'assistant',
        text: '',
        calls: [{ id: 'a', tool: 'send', args: {} }],
        opaque: { provider: 'openai', parts: [{ thinking: EMAIL, signature: 'x' }] },
      },
    }
    const went = await go(t, 'anonymize', [first, text('ok')], { options: { tools: { send: broken } } })
    assert.match(conversation(went), /no one is called \[email:1\]/)
    assert.equal(everywhere(went).includes(EMAIL), false)
    assert.equal(conversation(went).includes('signature'), false)
  })
})

test('sub-agents share the placeholders, and are as strict as their callers', async (t) => {
  const seen: string[] = []
  const { result, requests, events } = await runFamily(
    t,
    [
      agent('p', {
        compliance: { pii_handling: 'anonymize' },
        orchestration: { subagents: [{ ref: 'a', alias: 'a' }], pipeline: ['a'] },
      }),
      agent('a', {
        compliance: { pii_handling: 'none' },
        tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
      }),
    ],
    {
      a: ({ request, last }) =>
        request.messages.length === 1 ? calls(['x', 'send', { to: last }]) : `${last} and bob@example.org`,
      p: ({ last }) => last,
    },
    {
      input: EMAIL,
      tools: {
        send: Object.assign(
          (args: never) => {
            seen.push(JSON.stringify(args))
            return EMAIL
          },
          { readOnly: true },
        ),
      },
    },
  )
  assert.deepEqual(seen, [`{"to":"${EMAIL}"}`])
  assert.equal(requests[0]?.plan.pii?.handling, 'anonymize')
  assert.equal(requests[0]?.plan.pii?.inherited, true)
  assert.match(JSON.stringify(result.output), /\[email:1\].* and \[email:2\]/)
  for (const value of [EMAIL, 'bob@example.org'])
    assert.equal(
      JSON.stringify([result, events, requests.map(({ messages }) => messages)]).includes(value),
      false,
    )
})

test('placeholders in names of members are replaced too', () => {
  const program = programOf({ compliance: { pii_handling: 'anonymize' } }, { rehearsal: true })
  const handler = createPiiHandler(new PiiValues({ type: 'file' }), undefined)
  const input = { 'ada@example.com': 1, list: [{ 'bob@example.com': true }] }
  const state = initialState('r', 'a', program.hash)
  const clean = handler.clean({ type: 'user.said', input }, program, state)
  assert.ok(clean.type === 'user.said')
  assert.deepEqual(clean.input, { '[email:1]': 1, list: [{ '[email:2]': true }] })
  assert.deepEqual(handler.reveal(clean.input), input)
  assert.deepEqual(handler.lasting({ '[email:1]': 1 }), { '[email withheld]': 1 })
})

test('AAIF-4.9-07: of thousands of generated values none is left in a record, and all can be read again with the key', () => {
  const key = Buffer.alloc(32, 1)
  for (const handling of ['anonymize', 'encrypt'] as const) {
    const program = programOf({ compliance: { pii_handling: handling } }, { rehearsal: true })
    const values = new PiiValues({ type: 'file' })
    const handler = createPiiHandler(values, handling === 'encrypt' ? key : undefined)
    const state = initialState('r', 'a', program.hash)
    // Some telephone numbers look like other numbers and are missed; see bench/pii.
    const samples = positives(7, 200).filter(({ kind, text }) => kind !== 'phone' || /tel|\+/i.test(text))
    assert.ok(samples.length > 1000)
    for (const { text, value } of samples) {
      const fact: Fact = { type: 'user.said', input: { note: text, list: [text] } }
      const clean = handler.clean(fact, program, state)
      const line = encodeEvent({ seq: 1, at: 0, fact: clean, decision: {} })
      assert.equal(line.includes(JSON.stringify(value).slice(1, -1)), false, `${value} in ${line}`)
      assert.deepEqual(handler.clean(clean, program, state), { ...clean })
      if (handling === 'encrypt' && clean.type === 'user.said')
        assert.deepEqual(handler.reveal(clean.input), fact.input)
    }
  }
})

describe('the id of a call, which the provider makes', () => {
  for (const handling of ['anonymize', 'reject'])
    test(`${handling}: personal data in it is not recorded, and the result still belongs to its call`, async (t) => {
      const given = calls(['c1', 'send', { to: 'x' }])
      const [call, ...others] = given.message.calls
      assert.ok(call !== undefined && others.length === 0)
      const answer: ModelAnswer = {
        ...given,
        message: { ...given.message, calls: [{ ...call, id: `call_${EMAIL}` }] },
      }
      const { requests, disk, result } = await go(t, handling, [answer, text('done')])
      assert.equal(result.status, 'completed')
      assert.equal(disk.includes(EMAIL), false)
      const sent = requests.at(-1)?.messages ?? []
      const asked = sent.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
      const answered = sent.flatMap((message) => (message.role === 'tool' ? [message.call_id] : []))
      assert.deepEqual(
        asked.map(({ id }) => id),
        answered,
      )
      assert.match(answered[0] ?? '', /^call_replaced_[0-9_]+$/)
    })
  test('an ordinary id is kept', async (t) => {
    const { requests } = await go(t, 'anonymize', [calls(['c1', 'send', { to: 'x' }]), text('done')])
    assert.ok(!JSON.stringify(requests).includes('call_replaced'))
  })
})
