import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { estimateTokenCount } from 'tokenx'
import type { JsonObject } from '../../src/document/json.ts'
import { apply } from '../../src/run/apply.ts'
import { continuation, continuesAnswer } from '../../src/run/decide/continue-answer.ts'
import { promptLength } from '../../src/run/decide/prompt-tokens.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { Control, DriveOptions, DrivePorts } from '../../src/run/drive/drive-ports.ts'
import { createPiiHandler } from '../../src/run/drive/pii-handler.ts'
import { PiiValues } from '../../src/run/drive/pii-values.ts'
import type { Decision, Fact, RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { ModelFailure, type ModelPort, type ModelRequest } from '../../src/run/ports.ts'
import { decodeEvent, encodeEvent } from '../../src/run/record/event-line.ts'
import type { ModelAttempt, RunState } from '../../src/run/state.ts'
import { createRedactor } from '../../src/secret/redact.ts'
import { answered, decisionOn, stateWith, withPlan } from './core.ts'
import { portsOf, programOf, text } from './fixture.ts'

const PARTIAL = 'The parcel left'
const ATTEMPT: ModelAttempt = { n: 3, route: 1, retry: 0, delay_ms: 0, failed: [] }
const CONTINUES: ModelAttempt = { ...ATTEMPT, n: 4, continues: true }
const RESUMED: Fact = { type: 'run.resumed', by: 'ann' }

describe('whether an interrupted answer is continued', () => {
  const paused = { status: 'paused', attempt: ATTEMPT, attempts: 3, partial: PARTIAL } as const
  const cases: readonly (readonly [
    rule: string,
    agent: JsonObject,
    state: Partial<RunState>,
    yes: boolean,
  ])[] = [
    ['a text is continued', {}, {}, true],
    ['without a text, the question is asked again', {}, { partial: null }, false],
    ['an empty text is asked for again', {}, { partial: '' }, false],
    ['a text of spaces is asked for again', {}, { partial: ' \n' }, false],
    ['JSON is asked for again', { model: { provider: 'openai', response_format: 'json' } }, {}, false],
    ['a value of a schema is asked for again', { io: { output_schema: { type: 'object' } } }, {}, false],
    ['a selected number is asked for again', {}, { choice: [{ alias: 'a', result: 1 }] }, false],
    ['a message to the turn comes first', {}, { steering: [{ text: 'Stop.' }] }, false],
  ]
  for (const [rule, agent, state, yes] of cases) {
    test(rule, () => {
      const program = programOf(agent)
      const before = stateWith({ ...paused, ...state })
      assert.equal(continuesAnswer(program, before), yes)
      const decision = decisionOn(program, before, RESUMED)
      assert.equal(decision?.attempt?.n, 4)
      assert.equal(decision?.attempt?.continues, yes ? true : undefined)
    })
  }

  test('a rehearsal asks again', () => {
    const program = programOf({}, { rehearsal: true })
    assert.equal(continuesAnswer(program, stateWith(paused)), false)
  })

  test('another model continues it if the one that was asked is not available here', () => {
    const decision = decisionOn(programOf(), stateWith({ ...paused, attempt: null }), RESUMED)
    assert.deepEqual([decision?.attempt?.continues, decision?.attempt?.route], [true, 0])
  })

  test('a question that was asked again after a message is not continued later', () => {
    const state = stateWith({ ...paused, partial: null, attempt: CONTINUES })
    assert.equal(decisionOn(programOf(), state, RESUMED)?.attempt?.continues, undefined)
  })
})

describe('the text that is kept of an interrupted answer', () => {
  const pause = (members: object = {}): Fact => ({ type: 'run.paused', by: 'ann', ...members })
  const cases: readonly (readonly [
    rule: string,
    state: Partial<RunState>,
    fact: Fact,
    decision: Decision,
    kept: string | null,
  ])[] = [
    ['a pause keeps what was written', { attempt: ATTEMPT }, pause({ partial: 'A' }), {}, 'A'],
    ['a pause before a text keeps nothing', { attempt: ATTEMPT, partial: PARTIAL }, pause(), {}, null],
    [
      'nothing is kept after the beginning of a call',
      { attempt: ATTEMPT },
      pause({ partial: 'A', calls: true }),
      {},
      null,
    ],
    [
      'a pause before the continuation keeps the text',
      { attempt: CONTINUES, partial: PARTIAL },
      pause(),
      {},
      PARTIAL,
    ],
    [
      'a hook keeps it',
      { partial: PARTIAL },
      { type: 'hook.ran', hook: 'on_start', ok: true, latency_ms: 1 },
      {},
      PARTIAL,
    ],
    ['a question to continue keeps it', { partial: PARTIAL }, RESUMED, { attempt: CONTINUES }, PARTIAL],
    ['a question that is asked again drops it', { partial: PARTIAL }, RESUMED, { attempt: ATTEMPT }, null],
    ['a resume without a question drops it', { partial: PARTIAL }, RESUMED, {}, null],
    ['an answer ends it', { attempt: CONTINUES, partial: PARTIAL }, answered(4, text('x')), {}, null],
    ['the end of the turn ends it', { partial: PARTIAL }, pause({ partial: 'A' }), {}, 'A'],
    [
      'an end drops it',
      { partial: PARTIAL },
      { type: 'run.cancelled', by: 'ann' },
      { end: { status: 'cancelled', stop_reason: 'interrupt' } },
      null,
    ],
    ['the next turn drops it', { partial: PARTIAL }, { type: 'user.said', input: 'x' }, {}, null],
  ]
  for (const [rule, state, fact, decision, kept] of cases) {
    test(rule, () => {
      const event: RunEvent = { seq: 6, at: 1, fact, decision }
      assert.equal(apply(stateWith(state), event).partial, kept)
    })
  }
})

describe('a question to continue an answer that fails', () => {
  const program = programOf()
  const state = stateWith({ attempt: { ...CONTINUES, route: 0 }, attempts: 4, partial: PARTIAL })
  const failure = (kind: ModelFailure['kind']): Fact => ({
    type: 'model.failed',
    attempt: 4,
    kind,
    code: 'MODEL_ERROR',
    message: 'x',
    latency_ms: 1,
  })
  const cases: readonly (readonly [
    kind: ModelFailure['kind'],
    route: number,
    continues: true | undefined,
  ])[] = [
    ['unavailable', 0, true],
    ['rate_limited', 0, true],
    ['timeout', 0, true],
    ['route', 1, true],
    ['malformed', 0, undefined],
    ['request', 1, undefined],
  ]
  for (const [kind, route, continues] of cases) {
    test(`${kind}: route ${route}, ${continues === true ? 'continued' : 'asked again'}`, () => {
      const { attempt } = decisionOn(program, state, failure(kind)) ?? {}
      assert.deepEqual([attempt?.route, attempt?.continues], [route, continues])
    })
  }
})

describe('the length of a question to continue an answer', () => {
  const long = 'word '.repeat(2000)
  const windows = (first: number, second: number) => {
    const program = programOf()
    const models = program.plan.models.map((model, index) => ({
      ...model,
      context_window: index === 0 ? first : second,
    }))
    return withPlan(program, { models })
  }
  const state = stateWith({ status: 'paused', attempt: { ...ATTEMPT, route: 0 }, attempts: 3, partial: long })

  test('the interrupted answer counts, and the route is one whose window is large enough', () => {
    const decision = decisionOn(windows(1000, 100_000), state, RESUMED)
    assert.deepEqual([decision?.attempt?.route, decision?.attempt?.continues], [1, true])
  })

  test('without a window that is large enough, the question is asked again', () => {
    const decision = decisionOn(windows(1000, 1000), state, RESUMED)
    assert.deepEqual([decision?.attempt?.route, decision?.attempt?.continues], [0, undefined])
  })

  test('a provider counts the question to continue, which says nothing about the conversation', () => {
    const program = programOf()
    const after = (attempt: ModelAttempt) => {
      const before = stateWith({ attempt, partial: PARTIAL, counted: { tokens: 7, messages: 0 } })
      const fact = answered(4, text('x'))
      return apply(before, { seq: 6, at: 1, fact, decision: decisionOn(program, before, fact) ?? {} }).counted
    }
    assert.deepEqual(after(CONTINUES), { tokens: 7, messages: 0 })
    assert.deepEqual(after({ ...ATTEMPT, n: 4 }), { tokens: 10, messages: 0 })
  })
})

describe('estimated usage of interrupted answers', () => {
  const program = programOf({}, { budget: { tokens: 100_000 } })
  const more = `${PARTIAL} Bern on Monday morning`

  test('what was written before the first pause counts once', () => {
    const state = stateWith({ attempt: CONTINUES, attempts: 4, partial: PARTIAL })
    const stopped = (before: RunState, partial?: string) =>
      decisionOn(program, before, {
        type: 'run.paused',
        by: 'ann',
        ...(partial !== undefined && { partial }),
      })?.stopped
    assert.equal(stopped(state, more)?.output_tokens, estimateTokenCount(more) - estimateTokenCount(PARTIAL))
    assert.equal(stopped(state)?.output_tokens, 0)
    assert.equal(
      stopped({ ...state, attempt: { ...ATTEMPT, n: 4 } }, more)?.output_tokens,
      estimateTokenCount(more),
    )
  })

  test('the question holds the interrupted answer', () => {
    const state = stateWith({ attempt: CONTINUES, attempts: 4, partial: PARTIAL })
    const { stopped } = decisionOn(program, state, { type: 'run.paused', by: 'ann' }) ?? {}
    const whole = promptLength(program, state, null, continuation(PARTIAL)).estimate()
    assert.equal(stopped?.input_tokens, whole)
    assert.ok(whole > promptLength(program, state, null, []).estimate() + 10)
  })
})

const ANSWER = 'The parcel left Bern on Monday, reached Basel on Tuesday, and is with the courier now.'

/** A model that writes a text piece by piece, continues an interrupted one, and waits after a number of characters. */
function writer(whole: string, stops: readonly number[], fails: readonly (ModelFailure | null)[] = []) {
  const requests: ModelRequest[] = []
  let asked = 0
  let stopped = 0
  const port: ModelPort & { readonly requests: ModelRequest[]; onStop: () => void } = {
    requests,
    onStop: () => {},
    async ask(request, { signal, onText }) {
      requests.push(request)
      const stop = stops[asked]
      const failure = fails[asked]
      asked++
      if (failure != null) throw failure
      const before = request.messages.at(-2)
      const continues = before?.role === 'assistant' && request.messages.at(-1)?.role === 'user'
      // It knows where it stopped, also if its text has placeholders since.
      const from = !continues ? 0 : whole.startsWith(before.text) ? before.text.length : stopped
      stopped = stop ?? whole.length
      for (let at = from; at < (stop ?? whole.length); at += 7)
        onText?.(whole.slice(at, Math.min(at + 7, stop ?? whole.length)))
      if (stop === undefined) return text(whole.slice(from))
      port.onStop()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  return port
}

/** Drives a run until the model stops, pauses it there, and repeats that until it ends. */
async function throughPauses(
  program: ReturnType<typeof programOf>,
  model: ReturnType<typeof writer>,
  more: Partial<DrivePorts> = {},
  onText?: DriveOptions['onText'],
) {
  const ports = portsOf(model, undefined, more)
  let state = initialState('run-1', program.plan.agent_id, program.hash)
  const texts: string[] = []
  let first: Fact = { type: 'run.started', input: 'Where is it?' }
  for (let leg = 0; state.end === null && leg < 10; leg++) {
    let control: Control | undefined
    let shown = ''
    model.onStop = () => control?.pause('ann')
    state = await drive(program, state, first, ports, {
      control: (given) => {
        control = given
      },
      onText: (delta) => {
        shown += delta
        onText?.(delta)
      },
    })
    texts.push(shown)
    first = { type: 'run.resumed', by: 'ann' }
    // The next process has the record alone.
    state = ports.events
      .map((event) => decodeEvent(encodeEvent(event)))
      .reduce(apply, initialState('run-1', program.plan.agent_id, program.hash))
  }
  return { state, texts, events: ports.events }
}

const factsOf = (events: readonly RunEvent[]) => events.map(({ fact }) => fact)

describe('a run that is paused in mid-generation', () => {
  test('continues its answer: the answer on record is the whole one', async () => {
    const model = writer(ANSWER, [20])
    const { state, texts, events } = await throughPauses(programOf(), model)
    assert.equal(state.end?.output, ANSWER)
    assert.deepEqual(
      state.messages.toArray().map(({ role }) => role),
      ['user', 'assistant'],
    )
    assert.deepEqual(texts, [ANSWER.slice(0, 20), ANSWER])
    assert.deepEqual(
      model.requests[1]?.messages.map((message) => [
        message.role,
        message.role === 'tool' ? '' : message.text.slice(0, 20),
      ]),
      [
        ['user', 'Where is it?'],
        ['assistant', ANSWER.slice(0, 20)],
        ['user', 'Your answer above wa'],
      ],
    )
    const resumed = events.find(({ fact }) => fact.type === 'run.resumed')
    assert.equal(resumed?.decision.attempt?.continues, true)
  })

  test('a pause during the continuation keeps the whole text', async () => {
    const model = writer(ANSWER, [20, 45, 45, 60])
    const { state, texts, events } = await throughPauses(programOf(), model)
    assert.equal(state.end?.output, ANSWER)
    const partials = factsOf(events).flatMap((fact) =>
      fact.type === 'run.paused' ? [fact.partial?.length] : [],
    )
    assert.deepEqual(partials, [20, 45, 45, 60])
    assert.deepEqual(
      texts.map(({ length }) => length),
      [20, 45, 45, 60, ANSWER.length],
    )
  })

  test('a repetition of its end is removed from the answer and from the text', async () => {
    const model = writer(ANSWER, [40])
    const write = model.ask
    model.ask = async (request, options) => {
      if (model.requests.length === 0) return write(request, options)
      const rest = ANSWER.slice(15)
      for (const piece of rest.match(/.{1,5}/gs) ?? []) options.onText?.(piece)
      return text(rest)
    }
    const { state, texts } = await throughPauses(programOf(), model)
    assert.equal(state.end?.output, ANSWER)
    assert.equal(texts[1], ANSWER)
  })

  test('a short continuation that occurs in the answer is shown', async () => {
    const whole = 'The parcel left Bern. It left Bern.'
    const { state, texts } = await throughPauses(programOf(), writer(whole, [25]))
    assert.deepEqual([state.end?.output, texts[1]], [whole, whole])
  })

  test('a call that a failed question has begun does not concern the next question', async () => {
    const cut = new ModelFailure('unavailable', 'MODEL_STREAM_CUT', 'cut')
    const model = writer(ANSWER, [20])
    const write = model.ask
    let failed = false
    model.ask = async (request, options) => {
      if (failed) return write(request, options)
      failed = true
      options.onText?.('x')
      options.onCall?.()
      throw cut
    }
    const { state, events } = await throughPauses(programOf(), model)
    assert.equal(state.end?.output, ANSWER)
    const paused = factsOf(events).find((fact) => fact.type === 'run.paused')
    assert.deepEqual(paused, { type: 'run.paused', by: 'ann', partial: ANSWER.slice(0, 20) })
  })

  test('a failure of the model does not lose the text, and an empty answer asks again', async () => {
    const cut = new ModelFailure('unavailable', 'MODEL_STREAM_CUT', 'cut')
    const first = await throughPauses(programOf(), writer(ANSWER, [20], [null, cut]))
    assert.equal(first.state.end?.output, ANSWER)
    const empty = new ModelFailure('malformed', 'MODEL_ANSWER_EMPTY', 'empty')
    const model = writer(ANSWER, [20], [null, empty])
    const second = await throughPauses(programOf(), model)
    assert.equal(second.state.end?.output, ANSWER)
    assert.equal(model.requests[2]?.messages.length, 1)
  })

  test('the rules on answers judge the whole answer', async () => {
    const program = programOf({ constraints: ['Never mention "Bern on Monday".'] })
    const { plan } = program
    assert.ok(
      plan.constraints.some(({ rule }) => rule !== undefined),
      'a rule, and not only a sentence of the prompt',
    )
    const held = await throughPauses(program, writer(ANSWER, []))
    assert.ok(held.events.some(({ decision }) => decision.breaches !== undefined))
    // This definition holds its answers back while they are written, so there is no text to continue.
    const state = stateWith({ attempt: { ...CONTINUES, route: 0 }, attempts: 4, partial: 'It left Bern on' })
    const decision = decisionOn(program, state, answered(4, text('It left Bern on Monday.')))
    assert.equal(decision?.breaches?.length, 1)
  })

  test('a secret that is split by the pause is found', async () => {
    const key = 'zebra-quartz-71-lantern-mosaic'
    const whole = `The key is ${key}, and that is all.`
    const redactor = createRedactor(new Map([['KEY', key]]))
    const redact = (fact: Fact): Fact => redactor.json(fact as unknown as JsonObject) as unknown as Fact
    for (const at of [16, 25, 40]) {
      const { state, events } = await throughPauses(programOf(), writer(whole, [at]), { redact })
      const last = factsOf(events).findLast((fact) => fact.type === 'model.answered')
      assert.equal(
        last?.type === 'model.answered' && last.message.text,
        'The key is [secret KEY], and that is all.',
      )
      assert.equal(state.end?.output, 'The key is [secret KEY], and that is all.', String(at))
    }
  })

  test('personal data that is split by the pause is found, also if its first half looks whole', async () => {
    const email = 'ada.lovelace@post.example.com'
    const whole = `Write to ${email} today, please.\nThanks.`
    const program = programOf({ compliance: { pii_handling: 'anonymize' } })
    const from = whole.indexOf(email)
    for (const at of [from + 5, from + email.length - 4, from + email.length]) {
      const pii = createPiiHandler(new PiiValues({ type: 'file' }), undefined)
      const { state, texts, events } = await throughPauses(program, writer(whole, [at]), { pii })
      const output = String(state.end?.output)
      assert.match(output, /^Write to \S+ today, please\.\nThanks\.$/, String(at))
      for (const part of ['lovelace@', 'post.example', '.com', 'ada.'])
        assert.ok(
          !output.includes(part) && !String(texts.at(-1)).includes(part),
          `${part} at ${at}: ${output}`,
        )
      assert.equal(factsOf(events).filter((fact) => fact.type === 'model.answered').length, 1)
    }
  })

  test('after the beginning of a call, the question is asked again', async () => {
    const model = writer(ANSWER, [20])
    const write = model.ask
    model.ask = (request, options) =>
      write(request, {
        ...options,
        onText: (delta) => {
          options.onText?.(delta)
          if (model.requests.length === 1) options.onCall?.()
        },
      })
    const { events } = await throughPauses(programOf(), model)
    const paused = factsOf(events).find((fact) => fact.type === 'run.paused')
    assert.equal(paused?.type === 'run.paused' && paused.calls, true)
    assert.equal(model.requests[1]?.messages.length, 1)
  })

  test('an answer that the provider withholds is not replaced by the interrupted one', () => {
    const program = programOf()
    const state = stateWith({ attempt: { ...CONTINUES, route: 0 }, attempts: 4, partial: PARTIAL })
    const withheld = (value: string) =>
      decisionOn(program, state, { ...answered(4, text(value)), finish: 'content_filter' })?.end
    assert.equal(withheld(PARTIAL)?.error?.code, 'CONTENT_FILTERED')
    assert.equal(withheld(`${PARTIAL} Bern`)?.error?.code, 'CONTENT_FILTERED')
  })

  test('its budget counts each part once', async () => {
    const program = programOf({}, { budget: { tokens: 100_000 } })
    const { state } = await throughPauses(program, writer(ANSWER, [20, 40]))
    const written = (from: number, to: number) =>
      estimateTokenCount(ANSWER.slice(0, to)) - (from === 0 ? 0 : estimateTokenCount(ANSWER.slice(0, from)))
    assert.equal(state.totals.output_tokens, written(0, 20) + written(20, 40) + 5)
    assert.equal(state.totals.llm_calls, 3)
  })
})
