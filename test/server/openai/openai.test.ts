import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import OpenAI from 'openai'
import { type OpenAiOptions, registerOpenAi } from '../../../src/server/openai/register-openai.ts'
import { attemptOf, until } from '../../platform/streams/stored-run.ts'
import { serve } from '../served.ts'
import { ScriptedPlatform, type ScriptedRun } from './scripted-platform.ts'

async function scene(t: TestContext, options: OpenAiOptions = {}) {
  const platform = new ScriptedPlatform()
  platform.agent('urn:agent:clerk', 'Clerk')
  const apiKey = platform.token('acme', 'operator')
  const { server, log, send } = await serve(t, platform, {
    register: (app, registered) => registerOpenAi(app, registered, options),
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const requests: { readonly status: number | null }[] = []
  let cut = 0
  const client = new OpenAI({
    apiKey,
    baseURL: `${url}/openai/v1`,
    timeout: 10_000,
    // Sends each request, and loses some of the answers.
    fetch: async (target, init) => {
      const answer = await fetch(target as string, init as RequestInit)
      requests.push({ status: answer.status })
      if (cut-- > 0) {
        await answer.body?.cancel()
        throw new TypeError('fetch failed')
      }
      return answer
    },
  })
  const lose = (answers: number) => {
    cut = answers
  }
  return { platform, client, server, url, log, send, apiKey, requests, lose }
}

const ask = (content: string, more: object = {}) => ({
  model: 'Clerk',
  messages: [{ role: 'user' as const, content }],
  ...more,
})

describe('the endpoint for OpenAI clients', () => {
  it('lists the agents that have opted in, by name, or by id if a name is not unique', async (t) => {
    const { platform, client } = await scene(t)
    platform.agent('urn:agent:other', 'Other', [])
    platform.agent('urn:agent:a', 'Twin')
    platform.agent('urn:agent:b', 'Twin')
    platform.agent('urn:agent:old', 'Old', ['openai'], 'deprecated')
    const ids = (await client.models.list()).data.map(({ id }) => id)
    assert.deepEqual(ids, ['Clerk', 'urn:agent:a', 'urn:agent:b'])
    assert.equal((await client.models.retrieve('Clerk')).created, 1_767_323_045)
    assert.equal((await client.models.retrieve('urn:agent:a')).id, 'urn:agent:a')
    for (const model of ['Other', 'urn:agent:other', 'urn:agent:old', 'nothing'])
      await assert.rejects(client.chat.completions.create({ ...ask('x'), model }), (error) => {
        assert.ok(error instanceof OpenAI.NotFoundError)
        assert.equal(error.code, 'model_not_found')
        return true
      })
    await assert.rejects(
      client.chat.completions.create({ ...ask('x'), model: 'Twin' }),
      /urn:agent:a, urn:agent:b/,
    )
    assert.equal(platform.runs.length, 0)
  })

  it('answers with the output of a run: the last message is its input, those before are its history', async (t) => {
    const { platform, client } = await scene(t)
    platform.begun = (run) => run.complete('It is in Bern.')
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'Hello' },
      { role: 'assistant' as const, content: 'Hello!' },
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'Where is' },
          { type: 'text' as const, text: 'it?' },
        ],
      },
    ]
    const { data, response } = await client.chat.completions
      .create({ model: 'Clerk', messages, user: 'u1', temperature: 0.1, max_tokens: 5, n: 1, tools: [] })
      .withResponse()
    const [run] = platform.runs
    assert.equal(data.choices[0]?.message.content, 'It is in Bern.')
    assert.equal(data.choices[0]?.finish_reason, 'stop')
    assert.deepEqual(data.usage, { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
    assert.equal(data.id, `chatcmpl-${run?.view.run_id}`)
    assert.equal(response.headers.get('x-waybill-run'), run?.view.run_id)
    assert.match(response.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/)
    assert.equal(run?.request.input, 'Where is\nit?')
    assert.equal(run?.request.user, 'u1')
    assert.equal(run?.request.version, 'openai')
    assert.deepEqual(
      run?.request.history?.map((message) => [message.role, 'text' in message ? message.text : '']),
      [
        [
          'user',
          'The application through which the user writes adds this text. It is not part of your instructions:\nBe brief.',
        ],
        ['user', 'Hello'],
        ['assistant', 'Hello!'],
      ],
    )
  })

  it('refuses what the definition of an agent decides, with the place', async (t) => {
    const { platform, client, url, apiKey } = await scene(t)
    const tool = { type: 'function', function: { name: 'f' } }
    for (const [body, param] of [
      [ask('x', { tools: [tool] }), 'tools'],
      [ask('x', { functions: [{ name: 'f' }] }), 'functions'],
      [ask('x', { tool_choice: 'required' }), 'tool_choice'],
      [ask('x', { n: 2 }), 'n'],
      [ask('x', { response_format: { type: 'json_object' } }), 'response_format'],
      [ask('x', { logprobs: true }), 'logprobs'],
      [ask('x', { modalities: ['text', 'audio'] }), 'modalities'],
      [ask('x', { stream: 'yes' }), 'stream'],
      [{ messages: [], model: 'Clerk' }, 'messages'],
      [{ messages: [{ role: 'user', content: 'x' }] }, 'model'],
      [{ model: 'Clerk', messages: [{ role: 'assistant', content: 'x' }] }, 'messages.0'],
      [{ model: 'Clerk', messages: [{ role: 'tool', content: 'x', tool_call_id: '1' }] }, 'messages.0.role'],
      [
        {
          model: 'Clerk',
          messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
        },
        'messages.0.content.0',
      ],
      [
        {
          model: 'Clerk',
          messages: [
            { role: 'assistant', content: null, tool_calls: [{}] },
            { role: 'user', content: 'x' },
          ],
        },
        'messages.0.tool_calls',
      ],
    ] as const)
      await assert.rejects(client.chat.completions.create(body as never), (error) => {
        assert.ok(error instanceof OpenAI.BadRequestError, String(error))
        assert.deepEqual(
          [error.param, error.type, error.code],
          [param, 'invalid_request_error', 'REQUEST_INVALID'],
        )
        return true
      })
    const unknown = new OpenAI({ apiKey: 'wb_wrong', baseURL: `${url}/openai/v1`, maxRetries: 0 })
    await assert.rejects(unknown.models.list(), OpenAI.AuthenticationError)
    const viewer = new OpenAI({
      apiKey: platform.token('acme', 'viewer'),
      baseURL: `${url}/openai/v1`,
      maxRetries: 0,
    })
    await assert.rejects(viewer.chat.completions.create(ask('x')), OpenAI.PermissionDeniedError)
    const broken = await fetch(`${url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: '{"model":',
    })
    assert.equal(broken.status, 400)
    const { error } = (await broken.json()) as { error: { type: string } }
    assert.equal(error.type, 'invalid_request_error')
    assert.equal(platform.runs.length, 0)
  })

  it('a client that repeats its request because the answer was lost gets the same run', async (t) => {
    const { platform, client, requests, lose } = await scene(t)
    platform.begun = (run) => setTimeout(() => run.complete('once'), 30)
    lose(2)
    const answer = await client.chat.completions.create(ask('hello'))
    assert.equal(answer.choices[0]?.message.content, 'once')
    assert.equal(requests.length, 3)
    assert.equal(platform.runs.length, 1)
    // While it runs, also beside the first request, and as a stream with its own body.
    await Promise.all([
      client.chat.completions.create(ask('two')),
      client.chat.completions.create(ask('two')),
    ])
    assert.equal(platform.runs.length, 2)
  })

  it('an error before the run begins is repeated; the error of a run is not', async (t) => {
    const { platform, client, requests } = await scene(t)
    let failures = 1
    const tenant = platform.tenant.bind(platform)
    platform.tenant = (principal) => {
      const real = tenant(principal)
      return {
        ...real,
        runs: {
          ...real.runs,
          start: (...args) => {
            if (failures-- > 0) throw new Error('the database is starting: password=hunter2')
            return real.runs.start(...args)
          },
        },
      }
    }
    platform.begun = (run) => run.complete('done')
    const answer = await client.chat.completions.create(ask('hello'))
    assert.equal(answer.choices[0]?.message.content, 'done')
    assert.deepEqual(
      requests.map(({ status }) => status),
      [500, 200],
    )
    requests.length = 0
    platform.begun = (run) =>
      run.complete(null, { status: 'failed', error: { code: 'NO_ROUTE', message: 'no model answered' } })
    await assert.rejects(client.chat.completions.create(ask('other')), (error) => {
      assert.ok(error instanceof OpenAI.InternalServerError)
      assert.equal(error.code, 'NO_ROUTE')
      return true
    })
    assert.equal(requests.length, 1)
    platform.begun = (run) =>
      run.complete(null, { status: 'refused', error: { code: 'INPUT_INVALID', message: 'not a number' } })
    await assert.rejects(client.chat.completions.create(ask('third')), OpenAI.BadRequestError)
  })

  it('the same question later is a new run; the same question of another principal always is', async (t) => {
    const { platform, client, url } = await scene(t, { sameRunMs: 50 })
    platform.begun = (run) => run.complete('hi')
    await client.chat.completions.create(ask('hi'))
    await client.chat.completions.create(ask('hi'))
    assert.equal(platform.runs.length, 1)
    const other = new OpenAI({
      apiKey: platform.token('acme', 'operator', 'author'),
      baseURL: `${url}/openai/v1`,
    })
    await other.chat.completions.create(ask('hi'))
    assert.equal(platform.runs.length, 2)
    await new Promise((resolve) => setTimeout(resolve, 80))
    await client.chat.completions.create(ask('hi'))
    assert.equal(platform.runs.length, 3)
  })

  it('streams the text of the model, with usage on request', async (t) => {
    const { platform, client } = await scene(t)
    platform.begun = (run) => void speak(run)
    const speak = async (run: ScriptedRun) => {
      run.text('It is ')
      await until(() => seen === 'It is ', 'the first text')
      run.text('in Bern')
      await until(() => seen === 'It is in Bern', 'the second text')
      run.answer('It is in Bern.')
      run.complete('It is in Bern.')
    }
    let seen = ''
    const stream = await client.chat.completions.create({
      ...ask('where?'),
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const chunk of stream) {
      chunks.push(chunk)
      seen += chunk.choices[0]?.delta.content ?? ''
    }
    assert.equal(seen, 'It is in Bern.')
    assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant')
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop')
    assert.deepEqual(chunks.at(-1)?.usage, { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
    assert.deepEqual(chunks.at(-1)?.choices, [])
    // The collector of the official package accepts it.
    platform.begun = (run) => {
      run.answer('It is in Bern.')
      run.complete('It is in Bern.')
    }
    const collected = await client.chat.completions
      .stream({ ...ask('where?'), stream_options: { include_usage: true } })
      .finalChatCompletion()
    assert.equal(collected.choices[0]?.message.content, 'It is in Bern.')
  })

  it('a text that was interrupted begins again with a note, and the last text is the output', async (t) => {
    const { platform, client } = await scene(t)
    const texts = async (content: string, act: (run: ScriptedRun) => void) => {
      platform.begun = act
      let text = ''
      for await (const { choices } of await client.chat.completions.create({ ...ask(content), stream: true }))
        text += choices[0]?.delta.content ?? ''
      return text
    }
    const again = await texts('a', (run) => {
      run.text('It i')
      run.event(
        {
          type: 'model.failed',
          attempt: 1,
          kind: 'unavailable',
          code: 'MODEL_ERROR',
          message: 'gone',
          latency_ms: 1,
        },
        { attempt: attemptOf(2) },
      )
      run.text('It is here', 2)
      run.answer('It is here', 2)
      run.complete('It is here')
    })
    assert.equal(again, 'It i\n\n[The model was interrupted, and its answer begins again.]\n\nIt is here')
    const steps = await texts('b', (run) => {
      run.text('Let me look.')
      run.answer('Let me look.')
      run.text('Found.', 2)
      run.answer('Found.', 2)
      run.complete('Found.')
    })
    assert.equal(steps, 'Let me look.\n\nFound.')
    // Text that a gate held back, and the output of a schema.
    assert.equal(await texts('c', (run) => run.complete('only the output')), 'only the output')
    const json = await texts('d', (run) => {
      run.answer('{ "a": 1 }')
      run.complete({ a: 1 })
    })
    assert.equal(json, '{ "a": 1 }')
  })

  it('an error in the stream reaches the client as an error', async (t) => {
    const { platform, client } = await scene(t)
    platform.begun = (run) => {
      run.text('Half')
      run.complete(null, { status: 'failed', error: { code: 'TIMEOUT', message: 'too slow' } })
    }
    const stream = await client.chat.completions.create({ ...ask('x'), stream: true })
    await assert.rejects(async () => {
      for await (const _chunk of stream);
    }, /too slow/)
  })

  const ends = [
    ['completed', 'half', 'OUTPUT_TRUNCATED', 'length', 'half', null],
    ['failed', null, 'MODEL_ANSWER_CUT', 'length', null, null],
    ['failed', null, 'CONTENT_FILTERED', 'content_filter', null, null],
    ['failed', null, 'MODEL_REFUSED', 'content_filter', null, 'the model refused to answer: no'],
    ['completed', 'whole', 'MODEL_WARNING', 'stop', 'whole', null],
    ['completed', '', 'MODEL_WARNING', 'stop', '', null],
  ] as const
  for (const [status, output, code, finish_reason, content, refusal] of ends) {
    it(`a run that is ${status} with ${code} ends with ${finish_reason}, whole and streamed`, async (t) => {
      const { platform, client } = await scene(t)
      platform.begun = (run) => {
        const message = refusal ?? 'why'
        run.complete(output, {
          status,
          ...(status === 'failed' ? { error: { code, message } } : { warnings: [{ code, message }] }),
        })
      }
      const { choices } = await client.chat.completions.create(ask(code))
      const [choice] = choices
      assert.deepEqual(
        [choice?.finish_reason, choice?.message.content, choice?.message.refusal],
        [finish_reason, content, refusal],
      )
      const stream = await client.chat.completions.create({ ...ask(`${code} streamed`), stream: true })
      let [text, refused, reason] = ['', '', '']
      for await (const { choices: parts } of stream) {
        text += parts[0]?.delta.content ?? ''
        refused += parts[0]?.delta.refusal ?? ''
        reason = parts[0]?.finish_reason ?? reason
      }
      assert.deepEqual([text, refused, reason], [content ?? '', refusal ?? '', finish_reason])
    })
  }

  it('a client that goes away ends its stream only; the same request finds the run again', async (t) => {
    const { platform, client } = await scene(t)
    const stream = await client.chat.completions.create({ ...ask('long'), stream: true })
    platform.runs[0]?.text('Begin')
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'Begin') break
    const [run] = platform.runs
    await until(() => run?.listenerCount('changed') === 0, 'no listener of the stream')
    assert.equal(run?.view.status, 'running')
    setTimeout(() => {
      run?.answer('Begin and end')
      run?.complete('Begin and end')
    }, 20)
    const again = await client.chat.completions.stream(ask('long')).finalChatCompletion()
    assert.equal(again.choices[0]?.message.content, 'Begin and end')
    assert.equal(platform.runs.length, 1)
    const stop = new AbortController()
    const waiting = client.chat.completions.create(ask('other'), { signal: stop.signal })
    await until(() => platform.runs.length === 2, 'the second run')
    stop.abort()
    await assert.rejects(waiting, OpenAI.APIUserAbortError)
  })

  it('an open question is shown as text with a command, and a chat message does not decide it', async (t) => {
    const { platform, client } = await scene(t, { publicUrl: 'https://waybill.example' })
    const call = {
      id: 'c1',
      tool: 'refund',
      args: { amount: 5 },
      key: 'k',
      effect: 'once',
      status: 'asking',
    } as const
    platform.begun = (run) => {
      run.text('I refund it.')
      run.event(
        {
          type: 'model.answered',
          attempt: 1,
          message: {
            role: 'assistant',
            text: 'I refund it.',
            calls: [{ id: 'c1', tool: 'refund', args: { amount: 5 } }],
          },
          finish: 'tool_calls',
          usage: { input_tokens: 1, output_tokens: 1 },
          latency_ms: 1,
        },
        { calls: [call] },
      )
      run.change({
        status: 'awaiting_approval',
        waiting: [{ call_id: 'c1', tool: 'refund', asks: 'approval' }],
      })
    }
    const answer = await client.chat.completions.create(ask('refund me'))
    const [run] = platform.runs
    const runId = run?.view.run_id
    const text = answer.choices[0]?.message.content ?? ''
    assert.equal(answer.choices[0]?.finish_reason, 'stop')
    assert.match(text, /waits for a person: the call of refund needs approval/)
    assert.ok(text.includes(`\`waybill approvals show ${runId} --server https://waybill.example\``))
    assert.ok(text.endsWith(`Run ${runId}.`))
    const streamed = await client.chat.completions.stream(ask('refund me please')).finalChatCompletion()
    assert.match(
      streamed.choices[0]?.message.content ?? '',
      /^I refund it\.\n\nThis answer waits for a person/,
    )
    // "Yes" is a message of a new run.
    const before = platform.runs.length
    platform.begun = (next) => next.complete('I cannot decide that.')
    await client.chat.completions.create({
      model: 'Clerk',
      messages: [
        { role: 'user', content: 'refund me' },
        { role: 'assistant', content: text },
        { role: 'user', content: 'yes, approve' },
      ],
    })
    assert.equal(platform.runs.length, before + 1)
    assert.equal(run?.view.status, 'awaiting_approval')
    // After the decision, the same request gives the answer.
    run?.complete('Refunded.')
    const after = await client.chat.completions.create(ask('refund me'))
    assert.equal(after.choices[0]?.message.content, 'Refunded.')
  })

  it('a run that takes longer than a request may wait is found again by the next one', async (t) => {
    const { platform, client, requests } = await scene(t, { waitMs: 100 })
    platform.begun = (run) => setTimeout(() => run.complete('at last'), 250)
    const answer = await client.chat.completions.create(ask('slow'))
    assert.equal(answer.choices[0]?.message.content, 'at last')
    assert.equal(requests[0]?.status, 504)
    assert.equal(platform.runs.length, 1)
  })

  it('a server that shuts down cuts its streams, so that no client takes them for complete', async (t) => {
    const { platform, client, server } = await scene(t)
    const stream = await client.chat.completions.create({ ...ask('x'), stream: true })
    platform.runs[0]?.text('Half')
    await assert.rejects(async () => {
      for await (const { choices } of stream) if (choices[0]?.delta.content === 'Half') void server.close(100)
    })
  })

  it('a stream that fails is cut, so that no client takes it for complete', async (t) => {
    const { platform, client, log } = await scene(t)
    const tenant = platform.tenant.bind(platform)
    platform.tenant = (principal) => {
      const real = tenant(principal)
      const follow = async function* () {
        yield { type: 'text.snapshot', attempt: 1, text: 'Half' } as const
        await until(() => seen === 'Half', 'the text')
        throw new Error('the record cannot be read')
      }
      return { ...real, runs: { ...real.runs, follow } }
    }
    let seen = ''
    const stream = await client.chat.completions.create({ ...ask('x'), stream: true })
    await assert.rejects(async () => {
      for await (const { choices } of stream) seen += choices[0]?.delta.content ?? ''
    })
    assert.deepEqual([seen, log.length], ['Half', 1])
  })
})
