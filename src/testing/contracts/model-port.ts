import assert from 'node:assert/strict'
import { ModelFailure, type ModelPort, type ModelRequest } from '../../run/ports.ts'
import { assertCode, type ContractCase, rejection } from './contract-case.ts'

/** A model port with questions that show what it promises. */
export interface ModelSubject {
  readonly port: ModelPort
  /** A question that is answered with this text. */
  readonly answers: { readonly request: ModelRequest; readonly text: string }
  /** A question that is answered with calls of these tools. */
  readonly calls: { readonly request: ModelRequest; readonly tools: readonly string[] }
  /** A question that the provider refuses or cannot take. */
  readonly fails: ModelRequest
  /** A question that is not answered for a long time; absent where every answer is there at once. */
  readonly hangs?: ModelRequest
}

/**
 * What everyone promises who asks models. The port may be one that an extension opens.
 * @param open a subject of its own for each case
 */
export function modelPortContract(open: () => Promise<ModelSubject>): readonly ContractCase[] {
  const asking = () => ({ signal: new AbortController().signal })
  const suite: readonly [string, (subject: ModelSubject) => Promise<void>][] = [
    [
      'an answer has its text, why it ended, and what it cost',
      async ({ port, answers: { request, text } }) => {
        const { message, finish, usage, warnings } = await port.ask(request, asking())
        assert.deepEqual([message.role, message.text, message.calls, finish], ['assistant', text, [], 'stop'])
        for (const count of [usage.input_tokens, usage.output_tokens])
          assert.ok(Number.isSafeInteger(count) && count >= 0)
        assert.ok(Array.isArray(warnings))
      },
    ],
    [
      'streamed, the pieces are the text',
      async ({ port, answers: { request, text } }) => {
        const pieces: string[] = []
        const { message } = await port.ask(request, { ...asking(), onText: (piece) => pieces.push(piece) })
        assert.deepEqual([message.text, pieces.join('')], [text, text])
      },
    ],
    [
      'calls come with ids of their own, the names of tools, and arguments that are objects',
      async ({ port, calls: { request, tools } }) => {
        const { message, finish } = await port.ask(request, asking())
        assert.equal(finish, 'tool_calls')
        assert.deepEqual(
          message.calls.map(({ tool }) => tool),
          tools,
        )
        assert.equal(new Set(message.calls.map(({ id }) => id)).size, tools.length)
        for (const { id, args } of message.calls)
          assert.ok(id !== '' && typeof args === 'object' && !Array.isArray(args))
      },
    ],
    [
      'a question that is not answered is a failure with its kind and code',
      async ({ port, fails }) => {
        const error = await rejection(port.ask(fails, asking()))
        assert.ok(error instanceof ModelFailure, String(error))
        assertCode(error.code)
        assert.ok(error.message.length > 0)
      },
    ],
    [
      'a question that is given up ends at once, and the next one is answered',
      async ({ port, hangs, answers: { request, text } }) => {
        if (hangs !== undefined) {
          const stop = new AbortController()
          const hanging = rejection(port.ask(hangs, { signal: stop.signal }))
          setTimeout(() => stop.abort(new Error('enough')), 50)
          await hanging
        }
        assert.equal((await port.ask(request, asking())).message.text, text)
      },
    ],
    [
      'the conversation stays as it was',
      async ({ port, calls: { request } }) => {
        const before = structuredClone(request.messages)
        await port.ask(request, asking())
        assert.deepEqual(request.messages, before)
      },
    ],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await open()) }))
}
