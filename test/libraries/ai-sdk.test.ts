import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider'
import { DIALECTS } from '../../src/adapters/models/dialects.ts'
import type { Dialect } from '../../src/policy/model-providers.ts'

interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly body: unknown
}

/** Opens the model of a dialect over a fetch that keeps what is sent and answers with this response. */
async function modelOf(dialect: Dialect, respond: () => Response | Promise<Response>) {
  const sent: Sent[] = []
  const wire = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    sent.push({ url, headers: new Headers(init.headers), body })
    return respond()
  }
  const baseUrl = 'https://models.example/v9'
  const settings = { model: 'm-1', baseUrl, name: 'local', fetch: wire as typeof fetch, jsonModeOnly: false }
  return { model: await DIALECTS[dialect].open(settings), sent }
}

const NAMES = Object.keys(DIALECTS) as Dialect[]
const PROMPT = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
const CALL = {
  prompt: PROMPT,
  tools: [
    {
      type: 'function' as const,
      name: 'look',
      description: 'Looks.',
      inputSchema: { type: 'object' as const },
    },
  ],
}

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  return assert.fail('it succeeded')
}

function causesOf(error: unknown): unknown[] {
  const cause = (error as { cause?: unknown } | undefined)?.cause
  return cause === undefined ? [error] : [error, ...causesOf(cause)]
}

/** What the model adapter relies on, for each library that it opens a model with. */
for (const dialect of NAMES) {
  describe(`@ai-sdk, ${dialect}`, () => {
    test('the model is of the fourth version of the interface', async () => {
      const { model } = await modelOf(dialect, () => Response.json({}))
      assert.equal(model.specificationVersion, 'v4')
      assert.equal(model.modelId, 'm-1')
    })

    test('a question is one request by the given fetch, below the base URL, with a JSON text as its body', async () => {
      const { model, sent } = await modelOf(dialect, () => new Response('{}', { status: 500 }))
      await failureOf(model.doGenerate({ ...CALL, headers: { 'x-note': 'n' } }))
      assert.equal(sent.length, 1)
      const [{ url, headers, body } = assert.fail('nothing was sent')] = sent
      assert.ok(url.startsWith('https://models.example/v9/'), url)
      assert.equal(headers.get('x-note'), 'n')
      assert.equal(typeof body, 'object')
    })

    test('a tool is where the schema is put in: `function`, `input_schema` or `functionDeclarations`', async () => {
      const { model, sent } = await modelOf(dialect, () => new Response('{}', { status: 500 }))
      await failureOf(model.doGenerate(CALL))
      const [{ body } = assert.fail('nothing was sent')] = sent
      const [tool] = (body as { tools: readonly Record<string, unknown>[] }).tools
      const declared = (tool?.functionDeclarations as { name?: string }[] | undefined)?.[0]
      const inner = tool?.function as { name?: string; parameters?: object } | undefined
      assert.equal(declared?.name ?? inner?.name ?? tool?.name, 'look')
      assert.ok(declared !== undefined || inner?.parameters !== undefined || tool?.input_schema !== undefined)
    })

    test('a status that is an error is an APICallError with status, headers and body', async () => {
      const { model } = await modelOf(
        dialect,
        () => new Response('{"no":1}', { status: 429, headers: { 'retry-after': '7' } }),
      )
      const error = await failureOf(model.doGenerate(CALL))
      assert.ok(APICallError.isInstance(error))
      assert.deepEqual(
        [error.statusCode, error.responseBody, error.responseHeaders?.['retry-after']],
        [429, '{"no":1}', '7'],
      )
    })

    test('an answer that cannot be read has the reason among its causes', async () => {
      for (const body of ['not json', '{"choices":7,"candidates":7,"content":7}']) {
        const { model } = await modelOf(
          dialect,
          () => new Response(body, { headers: { 'content-type': 'application/json' } }),
        )
        const causes = causesOf(await failureOf(model.doGenerate(CALL)))
        const unreadable = causes.some(
          (cause) =>
            JSONParseError.isInstance(cause) ||
            TypeValidationError.isInstance(cause) ||
            InvalidResponseDataError.isInstance(cause),
        )
        assert.ok(unreadable, `${body}: ${causes.join(' < ')}`)
      }
    })

    test('an error of the fetch is kept among the causes', async () => {
      const lost = Object.assign(new Error('lost'), { code: 'ECONNRESET' })
      const { model } = await modelOf(dialect, () =>
        Promise.reject(new TypeError('fetch failed', { cause: lost })),
      )
      assert.ok(causesOf(await failureOf(model.doGenerate(CALL))).includes(lost))
    })

    test('a stream hands over raw pieces when they are asked for', async () => {
      const choice = { index: 0, delta: {}, finish_reason: null }
      const event = { id: 'e', type: 'ping', choices: [choice], candidates: [] }
      const { model } = await modelOf(
        dialect,
        () =>
          new Response(`data: ${JSON.stringify(event)}\n\n`, {
            headers: { 'content-type': 'text/event-stream' },
          }),
      )
      const { stream } = await model.doStream({ ...CALL, includeRawChunks: true })
      const raw: unknown[] = []
      for await (const part of stream) if (part.type === 'raw') raw.push(part.rawValue)
      assert.deepEqual(raw, [event])
    })
  })
}
