import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { OpenRequests } from '../../../src/adapters/mcp/open-requests.ts'
import { readInputRequired, UnaskedQuestion } from '../../../src/adapters/mcp/read-questions.ts'
import { defined } from '../../../src/document/defined.ts'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { checkAnswers } from '../../../src/run/check-answers.ts'
import type { Elicitation, QuestionAnswer, QuestionAnswers } from '../../../src/run/elicitation.ts'
import { ToolQuestions } from '../../../src/run/ports.ts'
import { toolNamed } from '../model-fixture.ts'
import { type AskingPeer, askingPeer, type Revision, type Transport } from './asking-peer.ts'
import { failure, openTools } from './opening.ts'

const ACCEPT = (content: JsonObject): QuestionAnswer => ({ action: 'accept', content })

/** A client of one process: what is asked, and the call with answers. */
function client(t: TestContext, { servers }: Pick<AskingPeer, 'servers'>) {
  const { mcp } = openTools(t, { servers })
  const call = (name: string, key: string, elicitation?: Elicitation): Promise<Json> =>
    mcp.call(
      {
        tool: toolNamed(name, { protocol: 'mcp', binding: { server: 'asking', tool: name } }),
        args: {},
        key,
        ...defined({ elicitation }),
      },
      { signal: AbortSignal.timeout(30_000) },
    )
  return {
    close: () => mcp.close(),
    call,
    /** Calls a tool that asks. */
    async asks(name: string, key: string, given?: Elicitation): Promise<Elicitation> {
      try {
        const result = await call(name, key, given)
        throw new Error(`${name} has not asked: ${JSON.stringify(result)}`)
      } catch (error) {
        if (!(error instanceof ToolQuestions)) throw error
        const { questions, requestState: request_state } = error
        const before =
          given?.answers === undefined
            ? undefined
            : [...(given.before ?? []), { questions: given.questions, answers: given.answers }]
        return { round: (given?.round ?? 0) + 1, questions, ...defined({ request_state, before }) }
      }
    },
  }
}

/** Answers the questions in their order, with the defaults of their forms. */
function answered(asked: Elicitation, ...answers: readonly QuestionAnswer[]): Elicitation {
  const given: QuestionAnswers = Object.fromEntries(
    asked.questions.map(({ key }, index) => [key, answers[index] as QuestionAnswer]),
  )
  const checked = checkAnswers(asked, given)
  assert.ok(checked.ok, JSON.stringify(checked))
  return { ...asked, answers: checked.answers }
}

const effects = ({ log }: AskingPeer) => log().filter((line) => !line.startsWith('called'))

const PLACES: readonly (readonly [Revision, Transport])[] = [
  ['2026', 'stdio'],
  ['2026', 'http'],
  ['2025', 'stdio'],
  ['2025', 'http'],
]

for (const [revision, transport] of PLACES)
  describe(`a server of the ${revision} revision over ${transport} that asks a person`, () => {
    test('gets what was accepted, with the defaults of its form, and acts once', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const { asks, call } = client(t, peer)
      const asked = await asks('book', 'run:1')
      const [question, ...others] = asked.questions
      assert.equal(others.length, 0)
      assert.equal(question?.message, 'Which city, and for how long?')
      assert.equal(question.mode, 'form')
      assert.deepEqual(question.schema?.required, ['city'])
      assert.equal(
        await call('book', 'run:1', answered(asked, ACCEPT({ city: 'Bern' }))),
        'booked Bern for 2',
      )
      assert.deepEqual(effects(peer), ['booked Bern 2 true double'])
    })

    test('hears that a person has declined, and decides what follows', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const { asks, call } = client(t, peer)
      const asked = await asks('book', 'run:1')
      assert.equal(await call('book', 'run:1', answered(asked, { action: 'decline' })), 'not booked: decline')
      assert.deepEqual(effects(peer), [])
    })

    test('asks two questions at once, each of which gets its own answer', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const { asks, call } = client(t, peer)
      const asked = await asks('two', 'run:1')
      assert.deepEqual(asked.questions.map(({ message }) => message).toSorted(), [
        'Which city, and for how long?',
        'Who travels?',
      ])
      const answers = asked.questions.map(({ message }) =>
        ACCEPT(message === 'Who travels?' ? { name: 'Ann' } : { city: 'Bern' }),
      )
      assert.equal(await call('two', 'run:1', answered(asked, ...answers)), 'accept accept')
      assert.deepEqual(effects(peer), ['booked Bern for Ann'])
    })

    test('asks again after an answer, and acts when it has both', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const { asks, call } = client(t, peer)
      const first = answered(await asks('twice', 'run:1'), ACCEPT({ city: 'Bern' }))
      const second = answered(await asks('twice', 'run:1', first), ACCEPT({ name: 'Ann' }))
      assert.equal(second.questions[0]?.message, 'Who travels to Bern?')
      assert.equal(await call('twice', 'run:1', second), 'Bern Ann')
      assert.deepEqual(effects(peer), ['booked Bern for Ann'])
    })

    test('names a URL that a person visits', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const { asks, call } = client(t, peer)
      const asked = await asks('visit', 'run:1')
      const [question] = asked.questions
      assert.equal(question?.mode, 'url')
      assert.equal(question.url, 'https://pay.example/authorise?order=7')
      assert.equal(await call('visit', 'run:1', answered(asked, { action: 'accept' })), 'paid: accept')
    })

    test('gets the answer from another process, after the one that was asked is gone', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const before = client(t, peer)
      const asked = await before.asks('book', 'run:1')
      await before.close()
      const { call } = client(t, peer)
      assert.equal(
        await call('book', 'run:1', answered(asked, ACCEPT({ city: 'Bern' }))),
        'booked Bern for 2',
      )
      assert.deepEqual(effects(peer), ['booked Bern 2 true double'])
    })

    test('gets both answers from another process when it had asked in two rounds', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const before = client(t, peer)
      const first = answered(await before.asks('twice', 'run:1'), ACCEPT({ city: 'Bern' }))
      const asked = await before.asks('twice', 'run:1', first)
      await before.close()
      const { call } = client(t, peer)
      assert.equal(await call('twice', 'run:1', answered(asked, ACCEPT({ name: 'Ann' }))), 'Bern Ann')
      assert.deepEqual(effects(peer), ['booked Bern for Ann'])
    })

    test('keeps two calls apart: each gets its own answer and its own state', async (t) => {
      const peer = await askingPeer(t, revision, transport)
      const { asks, call } = client(t, peer)
      const a = await asks('book', 'run:a')
      const b = await asks('two', 'run:b')
      if (revision === '2026') assert.notEqual(a.request_state, b.request_state)
      const answers = b.questions.map(({ message }) =>
        ACCEPT(message === 'Who travels?' ? { name: 'Bob' } : { city: 'Basel' }),
      )
      const results = await Promise.all([
        call('two', 'run:b', answered(b, ...answers)),
        call('book', 'run:a', answered(a, ACCEPT({ city: 'Bern' }))),
      ])
      assert.deepEqual(results, ['accept accept', 'booked Bern for 2'])
      assert.deepEqual(effects(peer).toSorted(), ['booked Basel for Bob', 'booked Bern 2 true double'])
    })
  })

describe('a server of the 2026 revision', () => {
  test('refuses the state of another call: it is sent only with its own', async (t) => {
    const peer = await askingPeer(t, '2026', 'http')
    const { asks, call } = client(t, peer)
    const a = answered(await asks('book', 'run:a'), ACCEPT({ city: 'Bern' }))
    const b = await asks('twice', 'run:b')
    const { request_state = '' } = a
    await assert.rejects(call('twice', 'run:b', { ...answered(b, ACCEPT({ city: 'Bern' })), request_state }))
    assert.equal(await call('book', 'run:a', a), 'booked Bern for 2')
  })
})

describe('a server of the 2025 revisions', () => {
  test('wants a URL to be visited first, and is called again after that', async (t) => {
    const peer = await askingPeer(t, '2025', 'http')
    const { asks, call } = client(t, peer)
    const asked = await asks('visit_first', 'run:1')
    assert.deepEqual(asked.questions, [
      { key: 'url_1', mode: 'url', message: 'Please pay.', url: 'https://pay.example/authorise?order=7' },
    ])
    assert.equal(await call('visit_first', 'run:1', answered(asked, { action: 'accept' })), 'visited')
  })

  test('wants a URL to be visited, and the call fails if the person has declined', async (t) => {
    const peer = await askingPeer(t, '2025', 'stdio')
    const before = client(t, peer)
    const asked = await before.asks('visit_first', 'run:1')
    await before.close()
    await assert.rejects(
      client(t, peer).call('visit_first', 'run:1', answered(asked, { action: 'decline' })),
      failure('MCP_CALL_REFUSED', 'answered', /declined/),
    )
  })

  test('has acted without the answer: the call is not made again', async (t) => {
    const peer = await askingPeer(t, '2025', 'stdio')
    const { asks, call } = client(t, peer)
    const asked = await asks('impatient', 'run:1')
    await new Promise((resolve) => setTimeout(resolve, 600))
    const result = await call('impatient', 'run:1', answered(asked, ACCEPT({ city: 'Bern' })))
    assert.equal(result, 'made without an answer')
    assert.deepEqual(peer.log(), ['called impatient', 'made without an answer'])
  })

  test('has given up waiting: the call is made again, with the answer', async (t) => {
    const peer = await askingPeer(t, '2025', 'stdio')
    const { asks, call } = client(t, peer)
    const asked = await asks('gives_up', 'run:1')
    await new Promise((resolve) => setTimeout(resolve, 600))
    assert.equal(await call('gives_up', 'run:1', answered(asked, ACCEPT({ city: 'Bern' }))), 'booked Bern')
    assert.deepEqual(effects(peer), ['booked Bern'])
  })

  test('asks over a single channel while another call is in flight: its own call gets the question', async (t) => {
    const peer = await askingPeer(t, '2025', 'stdio')
    const { asks, call } = client(t, peer)
    const slow = call('slow', 'run:slow')
    const asked = await asks('book', 'run:1')
    assert.equal(await slow, 'slow')
    assert.equal(await call('book', 'run:1', answered(asked, ACCEPT({ city: 'Bern' }))), 'booked Bern for 2')
  })

  test('that asks another question than a person has answered gets no answer of it', async (t) => {
    const peer = await askingPeer(t, '2025', 'stdio')
    const { asks } = client(t, peer)
    const asked: Elicitation = {
      round: 1,
      questions: [{ key: 'question_1', mode: 'form', message: 'Another one?' }],
      answers: { question_1: ACCEPT({ city: 'Bern' }) },
    }
    const again = await asks('book', 'run:1', asked)
    assert.equal(again.questions[0]?.message, 'Which city, and for how long?')
    assert.deepEqual(effects(peer), [])
  })
})

test('a question belongs to the call in whose answer it came, whatever call the server names', () => {
  const text = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'elicitation/create' },
    params: { message: 'm', _meta: { 'waybill/call': 'run:other', kept: 1 } },
  })
  const read = (call?: string) =>
    (new OpenRequests().read(text, call)[0] as { params: JsonObject }).params._meta
  assert.deepEqual(read(), { kept: 1 })
  assert.deepEqual(read('run:own'), { kept: 1, 'waybill/call': 'run:own' })
})

describe('what a server of the 2026 revision asks for', () => {
  const form = { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object' } } }
  const read = (more: JsonObject) => readInputRequired({ resultType: 'input_required', ...more })

  test('is nothing to ask with a state alone: the call is made again at once', () => {
    for (const inputRequests of [null, {}, undefined])
      assert.deepEqual(read({ requestState: 's', ...defined({ inputRequests }) }), {
        questions: [],
        requestState: 's',
      })
  })

  const odd: Readonly<Record<string, readonly [JsonObject, RegExp]>> = {
    'no questions and no state': [{}, /neither which nor how/],
    'a list': [{ inputRequests: [form] }, /not an object/],
    'a text': [{ inputRequests: 'x' }, /not an object/],
    'a model': [
      { inputRequests: { a: form, b: { method: 'sampling/createMessage' } } },
      /sampling\/createMessage/,
    ],
    'its roots': [{ inputRequests: { a: { method: 'roots/list' } } }, /roots\/list/],
    'a question that is null': [{ inputRequests: { a: null } }, /without a method/],
    'a number as method': [{ inputRequests: { a: { method: 7 } } }, /without a method/],
    'another mode': [{ inputRequests: { a: { ...form, params: { mode: 'voice', message: 'm' } } } }, /mode/],
    'a script to visit': [
      {
        inputRequests: { a: { ...form, params: { mode: 'url', message: 'm', url: 'javascript:alert(1)' } } },
      },
      /not a web address/,
    ],
    'a hundred questions': [
      { inputRequests: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`q${n}`, form])) },
      /100 questions/,
    ],
    'a form that is too large': [
      {
        inputRequests: {
          a: { ...form, params: { message: 'm', requestedSchema: { description: 'x'.repeat(70_000) } } },
        },
      },
      /form of more than/,
    ],
    'a state that is no text': [{ requestState: 7 }, /not a text/],
    'a state that is too large': [{ requestState: 'x'.repeat(300_000) }, /requestState of more/],
  }
  for (const [name, [result, says]] of Object.entries(odd))
    test(`is refused: ${name}`, () => {
      assert.throws(
        () => read(result),
        (error: unknown) => {
          assert.ok(error instanceof UnaskedQuestion)
          assert.match(error.message, says)
          return true
        },
      )
    })

  test('is cut if its text is too long, and is a form without parameters if it has none', () => {
    const long = read({ inputRequests: { a: { ...form, params: { message: 'x'.repeat(9000) } } } })
    assert.equal(long?.questions[0]?.message.length, 4001)
    const bare = read({ inputRequests: { a: { method: 'elicitation/create' } } })
    assert.deepEqual(bare?.questions, [{ key: 'a', mode: 'form', message: '' }])
  })
})
