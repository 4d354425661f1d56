import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import type { ModelFailure } from '../../../src/run/ports.ts'
import { ask } from '../model-fixture.ts'
import {
  askFor,
  CHAT_WIRES,
  doubled,
  eventStream,
  responseOf,
  sse,
  WIRES,
  type Wire,
} from './wire-doubles.ts'

const [OPENAI] = WIRES
assert.ok(OPENAI !== undefined)

const normalOf = ({ reasons }: Wire) =>
  Object.entries(reasons).find(([, finish]) => finish === 'stop')?.[0] ?? assert.fail()

/** A stream that sends a text, and is then broken. */
function broken(text: string, error = new TypeError('terminated')): Response {
  let isSent = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) controller.error(error)
      else controller.enqueue(new TextEncoder().encode(text))
      isSent = true
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

describe('AAIF §4.2 after the finish reason', () => {
  for (const wire of WIRES) {
    const reported = { text: 'hello', finish: normalOf(wire) }
    const events = wire.events(reported)
    const complete = sse(events)
    const ends: readonly (readonly [name: string, response: () => Response])[] = [
      ['the connection is broken', () => broken(complete)],
      ['the end of the stream is missing', () => eventStream(complete)],
      ['the last empty line is missing', () => eventStream(complete.trimEnd())],
      ['an event is not JSON', () => eventStream(`${complete}data: {"broken\n\n${wire.last}`)],
      [
        'an error is reported',
        () => eventStream(sse([...events, { error: { message: 'late', code: 500 } }], wire.last)),
      ],
      ['an event is null', () => eventStream(`${complete}data: null\n\n${wire.last}`)],
      ['an event is empty', () => eventStream(`${complete}data:\n\ndata: {}\n\n${wire.last}`)],
      ['comments follow', () => eventStream(`${complete}: still here\n\n: again\n\n${wire.last}`)],
      ['unknown events follow', () => eventStream(sse([...events, { type: 'new_thing', a: 1 }], wire.last))],
    ]
    for (const [name, response] of ends) {
      test(`AAIF-4.2-14: ${wire.name}: ${name}, and the answer is complete`, async () => {
        const { message, finish, usage } = await askFor(response(), wire, true)
        assert.deepEqual(
          [message.text, finish, usage],
          ['hello', 'stop', { input_tokens: 7, output_tokens: 3 }],
        )
      })
    }

    test(`${wire.name}: before it, a broken connection and an error are failures`, async () => {
      const open = sse(events.slice(0, -2))
      await assert.rejects(askFor(broken(open), wire, true), { kind: 'unavailable' })
      await assert.rejects(askFor(eventStream(open), wire, true), { code: 'MODEL_STREAM_CUT' })
      const error = sse([...events.slice(0, -2), { error: { message: 'busy', code: 503 } }])
      await assert.rejects(askFor(eventStream(error), wire, true), { kind: 'unavailable', message: /busy/ })
    })

    test(`${wire.name}: a whole answer to a question for a stream is read, and a stream to one for an answer`, async () => {
      const deltas: string[] = []
      const whole = await askFor(responseOf(wire, reported, false), wire, true, deltas)
      assert.deepEqual([whole.message.text, whole.finish, deltas.join('')], ['hello', 'stop', 'hello'])
      const streamed = await askFor(responseOf(wire, reported, true), wire, false)
      assert.deepEqual([streamed.message.text, streamed.finish], ['hello', 'stop'])
    })

    test(`${wire.name}: an answer with the type of a page is read, a page is not`, async () => {
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      for (const streamed of [false, true]) {
        const text = streamed ? sse(events, wire.last) : JSON.stringify(wire.whole(reported))
        assert.equal((await askFor(new Response(text, { headers }), wire, streamed)).message.text, 'hello')
        const page = new Response('<html><title>Sign in</title></html>', { headers })
        await assert.rejects(askFor(page, wire, streamed), { kind: 'route', code: 'MODEL_ANSWER_UNREADABLE' })
      }
    })

    test(`${wire.name}: events are read however they are divided`, async () => {
      const text = sse(events, wire.last)
      const forms: readonly string[] = [
        text.replaceAll('\n', '\r\n'),
        text.replaceAll('data: ', 'data:'),
        `\uFEFF${text}`,
        `\n\n: wait\n\nretry: 10\n\nid: 1\n${text}`,
        events.map((event) => `data: ${JSON.stringify(event)}\n`).join(''),
      ]
      for (const form of forms) {
        const { message, finish } = await askFor(eventStream(form), wire, true)
        assert.deepEqual([message.text, finish], ['hello', 'stop'], JSON.stringify(form.slice(0, 60)))
      }
      // One byte after the other, without a content type.
      const bytes = new TextEncoder().encode(text.replace('hel', 'h\u00eal'))
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
      assert.equal((await askFor(new Response(body), wire, true)).message.text, 'h\u00eallo')
    })
  }

  test('a stream that stays open after it is not awaited for long', async () => {
    const { readResponse } = await import('../../../src/adapters/models/answers/read-response.ts')
    const { ChatAnswer } = await import('../../../src/adapters/models/answers/chat-answer.ts')
    const text = sse(OPENAI.events({ text: 'hello', finish: 'stop' }).slice(0, -1))
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    })
    const answer = new ChatAnswer({ text: () => {}, call: () => {} })
    await readResponse(new Response(body), answer, 10)
    assert.deepEqual(answer.answer().pieces, [{ type: 'text', text: 'hello' }])
  })
})

describe('AAIF §4.2 odd but complete chat completions', () => {
  const chunks: readonly (readonly [name: string, events: readonly unknown[]])[] = [
    ['a usage chunk without choices', [{ id: 'c', usage: { prompt_tokens: 7, completion_tokens: 3 } }]],
    [
      'a usage chunk with choices null',
      [{ choices: null, usage: { prompt_tokens: 7, completion_tokens: 3 } }],
    ],
    [
      'counts as text',
      [{ choices: [], usage: { prompt_tokens: '7', completion_tokens: '3', total_tokens: null } }],
    ],
    [
      'usage beside null members',
      [
        {
          choices: [],
          usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: null, x: [] },
        },
      ],
    ],
    ['usage in the choice', [{ choices: [{ index: 0, usage: { prompt_tokens: 7, completion_tokens: 3 } }] }]],
  ]
  const begin = (delta: unknown, finish_reason: unknown = null, more: object = {}) => ({
    choices: [{ index: 0, delta, finish_reason, ...more }],
  })
  for (const wire of CHAT_WIRES) {
    for (const [name, events] of chunks) {
      test(`AAIF-4.2-14: ${wire.name}: ${name}`, async () => {
        const all = [begin({ content: 'hello' }), begin({}, 'stop'), ...events]
        const { message, usage } = await askFor(eventStream(sse(all, 'data: [DONE]\n\n')), wire, true)
        assert.deepEqual([message.text, usage], ['hello', { input_tokens: 7, output_tokens: 3 }])
      })
    }

    test(`${wire.name}: a usage that cannot be read costs only the usage`, async () => {
      for (const usage of [
        null,
        'many',
        7,
        [],
        { prompt_tokens: null },
        { prompt_tokens: {} },
        { completion_tokens: 'x' },
      ]) {
        const all = [begin({ content: 'hello' }), { ...begin({}, 'stop'), usage }]
        for (const response of [
          eventStream(sse(all)),
          Response.json({ ...OPENAI.whole({ text: 'hello', finish: 'stop' }), usage: usage as Json }),
        ]) {
          const answer = await askFor(response, wire, true)
          assert.deepEqual([answer.message.text, answer.usage], ['hello', {}])
        }
      }
    })

    const stranges: readonly (readonly [name: string, events: readonly unknown[]])[] = [
      ['delta null', [begin(null), begin({ content: 'hello' }), begin(null, 'stop')]],
      ['no delta', [begin({ content: 'hello' }), { choices: [{ finish_reason: 'stop' }] }]],
      [
        'members that are null',
        [
          {
            id: null,
            object: null,
            created: null,
            model: null,
            ...begin({ role: null, content: 'hello', tool_calls: null, refusal: null }, 'stop', {
              index: null,
              logprobs: null,
            }),
          },
        ],
      ],
      [
        'an empty finish reason before the last',
        [begin({ content: 'hel' }, ''), begin({ content: 'lo' }, ''), begin({}, 'stop')],
      ],
      [
        'content in parts',
        [
          begin({
            content: [
              { type: 'text', text: 'hel' },
              { type: 'output_text', text: 'lo' },
            ],
          }),
          begin({ content: [] }, 'stop'),
        ],
      ],
      [
        'a role in every chunk',
        [
          begin({ role: 'assistant', content: 'hel' }),
          begin({ role: 'assistant', content: 'lo' }),
          begin({ role: '' }, 'stop'),
        ],
      ],
      [
        'a message instead of a delta',
        [{ choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] }],
      ],
      ['a text instead of a delta', [{ choices: [{ text: 'hello', finish_reason: 'stop' }] }]],
      [
        'one choice that is not in a list',
        [{ choices: { delta: { content: 'hello' }, finish_reason: 'stop' } }],
      ],
      [
        'choices beside it',
        [
          {
            choices: [
              { index: 1, delta: { content: 'no' } },
              { index: 0, delta: { content: 'hello' }, finish_reason: 'stop' },
            ],
          },
        ],
      ],
      ['text after the reason', [begin({ content: 'hel' }, 'stop'), begin({ content: 'lo' })]],
      ['the reason twice', [begin({ content: 'hello' }, 'stop'), begin({}, 'stop'), begin({}, null)]],
    ]
    for (const [name, events] of stranges) {
      test(`${wire.name}: ${name}`, async () => {
        const { message, finish } = await askFor(eventStream(sse(events)), wire, true)
        assert.deepEqual([message.text, finish], ['hello', 'stop'])
      })
    }

    test(`${wire.name}: only the end of the stream, without a reason, makes a text that may be incomplete`, async () => {
      const { message, finish } = await askFor(
        eventStream(sse([begin({ content: 'hello' })], 'data: [DONE]\n\n')),
        wire,
        true,
      )
      assert.deepEqual([message.text, finish], ['hello', 'other'])
    })

    const fn = (name: unknown, args: unknown) => ({ function: { name, arguments: args } })
    const calls: readonly (readonly [
      name: string,
      deltas: readonly unknown[],
      expected: readonly (readonly [string, JsonObject])[],
    ])[] = [
      [
        'arguments as an object',
        [{ tool_calls: [{ index: 0, id: 'a', ...fn('f', { x: 1 }) }] }],
        [['f', { x: 1 }]],
      ],
      ['arguments as an empty text', [{ tool_calls: [{ index: 0, id: 'a', ...fn('f', '') }] }], [['f', {}]]],
      ['arguments null', [{ tool_calls: [{ index: 0, id: 'a', ...fn('f', null) }] }], [['f', {}]]],
      ['no arguments', [{ tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] }], [['f', {}]]],
      [
        'an empty object before the arguments',
        [
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', {}) }] },
          { tool_calls: [{ index: 0, ...fn(null, '{"x":1}') }] },
        ],
        [['f', { x: 1 }]],
      ],
      [
        'no index, one call',
        [{ tool_calls: [{ id: 'a', ...fn('f', '{"x"') }] }, { tool_calls: [fn(null, ':1}')] }],
        [['f', { x: 1 }]],
      ],
      [
        'no index, two calls',
        [
          { tool_calls: [{ id: 'a', ...fn('f', '{"x":1}') }] },
          { tool_calls: [{ id: 'b', ...fn('f', '{"x":2}') }] },
        ],
        [
          ['f', { x: 1 }],
          ['f', { x: 2 }],
        ],
      ],
      [
        'no index and no ids',
        [{ tool_calls: [fn('f', '{"x":1}')] }, { tool_calls: [fn('g', '{"x":2}')] }],
        [
          ['f', { x: 1 }],
          ['g', { x: 2 }],
        ],
      ],
      [
        'the same index for two ids',
        [
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', '{"x":1}') }] },
          { tool_calls: [{ index: 0, id: 'b', ...fn('f', '{"x":2}') }] },
        ],
        [
          ['f', { x: 1 }],
          ['f', { x: 2 }],
        ],
      ],
      [
        'the same id for two calls',
        [
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', '{"x":1}') }] },
          { tool_calls: [{ index: 1, id: 'a', ...fn('f', '{"x":2}') }] },
        ],
        [
          ['f', { x: 1 }],
          ['f', { x: 2 }],
        ],
      ],
      [
        'the name in every piece',
        [
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', '') }] },
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', '{"x"') }] },
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', ':1}') }] },
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', '') }] },
        ],
        [['f', { x: 1 }]],
      ],
      [
        'the whole call twice',
        [
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', '{"x":1}') }] },
          { tool_calls: [{ index: 0, id: 'a', ...fn('f', '{"x":1}') }] },
        ],
        [['f', { x: 1 }]],
      ],
      [
        'the name after the id',
        ['a', 'b'].flatMap((id, index) => [
          { tool_calls: [{ index, id }] },
          { tool_calls: [{ index, ...fn('f', '') }] },
          { tool_calls: [{ index, ...fn(undefined, `{"x":${index}}`) }] },
        ]),
        [
          ['f', { x: 0 }],
          ['f', { x: 1 }],
        ],
      ],
      [
        'an index that is text',
        [{ tool_calls: [{ index: '0', id: 'a', ...fn('f', '{"x":1}') }] }],
        [['f', { x: 1 }]],
      ],
      [
        'an id that is a number',
        [{ tool_calls: [{ index: 0, id: 7, ...fn('f', '{"x":1}') }] }],
        [['f', { x: 1 }]],
      ],
      [
        'a call that is not in a list',
        [{ tool_calls: { index: 0, id: 'a', ...fn('f', '{"x":1}') } }],
        [['f', { x: 1 }]],
      ],
      [
        'a name beside the function',
        [{ tool_calls: [{ index: 0, id: 'a', name: 'f', arguments: '{"x":1}' }] }],
        [['f', { x: 1 }]],
      ],
      [
        'null among the calls',
        [{ tool_calls: [null, { index: 0, id: 'a', ...fn('f', '{"x":1}') }, 7] }],
        [['f', { x: 1 }]],
      ],
    ]
    for (const [name, deltas, expected] of calls) {
      test(`${wire.name}: calls with ${name}`, async () => {
        const all = [...deltas.map((delta) => begin(delta)), begin({}, 'tool_calls')]
        const { message } = await askFor(eventStream(sse(all)), wire, true)
        assert.deepEqual(
          message.calls.map(({ tool, args }) => [tool, args]),
          expected,
        )
        assert.equal(new Set(message.calls.map(({ id }) => id)).size, expected.length)
      })
    }

    test(`${wire.name}: a call without a name makes the answer unreadable, and nothing is called`, async () => {
      for (const name of [undefined, null, '', 7]) {
        const all = [begin({ tool_calls: [{ index: 0, id: 'a', ...fn(name, '{}') }] }, 'tool_calls')]
        await assert.rejects(askFor(eventStream(sse(all)), wire, true), {
          kind: 'malformed',
          code: 'MODEL_ANSWER_UNREADABLE',
        })
      }
    })
  }
})

describe('AAIF §4.2 documents that are not answers', () => {
  const cases: readonly (readonly [name: string, body: string, kind: string, code: string])[] = [
    ['an error', '{"error":{"message":"no","code":429}}', 'rate_limited', 'MODEL_RATE_LIMITED'],
    ['an error as text', '{"error":"overloaded"}', 'unavailable', 'MODEL_UNAVAILABLE'],
    [
      'an error of another form',
      '{"object":"error","message":"bad","type":"invalid_request_error"}',
      'request',
      'MODEL_REQUEST_REFUSED',
    ],
    [
      'an error in the choice',
      '{"choices":[{"index":0,"error":{"message":"no","code":502},"finish_reason":"error"}]}',
      'unavailable',
      'MODEL_UNAVAILABLE',
    ],
    ['a list', '[]', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
    ['null', 'null', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
    ['a text', '"hello"', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
    ['words', 'upstream connect error', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
    ['half an object', '{"choices": [', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
    ['an object of something else', '{"models":[]}', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
    ['no choices', '{"choices":null}', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
    ['a page', '<!doctype html><title>Sign in</title>', 'route', 'MODEL_ANSWER_UNREADABLE'],
    ['nothing', '', 'malformed', 'MODEL_ANSWER_UNREADABLE'],
  ]
  for (const wire of CHAT_WIRES) {
    for (const [name, body, kind, code] of cases) {
      test(`${wire.name}: ${name} is ${code}, whole and streamed`, async () => {
        for (const streamed of [false, true])
          await assert.rejects(
            askFor(new Response(body, { headers: { 'content-type': 'application/json' } }), wire, streamed),
            { kind, code },
          )
      })
    }
  }

  test('a delay that is asked for inside of a stream counts', async () => {
    const error = {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'slow',
      details: [{ '@type': 'x', retryDelay: '34s' }],
    }
    for (const wire of WIRES) {
      const failure = await askFor(eventStream(sse([{ error }])), wire, true).catch(
        (caught: ModelFailure) => caught,
      )
      assert.equal((failure as ModelFailure).retryAfterMs, 34_000, wire.name)
    }
    const { port } = doubled(() => Response.json({ error }, { status: 429 }))
    await assert.rejects(ask(port, OPENAI.route), { retryAfterMs: 34_000 })
  })
})
