import assert from 'node:assert/strict'
import { ModelFailure, type ModelPort, type ModelRequest } from '../../run/ports.ts'
import { assertCode, type ContractCase, rejection } from './contract-case.ts'

/** A model port with requests for each kind of behaviour. */
export interface ModelSubject {
  readonly port: ModelPort
  /** A request that is answered with this text. */
  readonly answers: { readonly request: ModelRequest; readonly text: string }
  /** A request that is answered with calls of these tools. */
  readonly calls: { readonly request: ModelRequest; readonly tools: readonly string[] }
  /** A request that the provider refuses or cannot process. */
  readonly fails: ModelRequest
  /** A request that is not answered for a long time; absent if every answer is immediate. */
  readonly hangs?: ModelRequest
}

/**
 * Returns the contract of every model port, including those of extensions.
 * @param open returns a new subject for each case
 */
export function modelPortContract(open: () => Promise<ModelSubject>): readonly ContractCase[] {
  const asking = () => ({ signal: new AbortController().signal })
  const suite: readonly [string, (subject: ModelSubject) => Promise<void>][] = [
    [
      'an answer has a text, a finish reason and a usage',
      async ({ port, answers: { request, text } }) => {
        const { message, finish, usage, warnings } = await port.ask(request, asking())
        assert.deepEqual([message.role, message.text, message.calls, finish], ['assistant', text, [], 'stop'])
        for (const count of [usage.input_tokens, usage.output_tokens])
          assert.ok(count === undefined || (Number.isSafeInteger(count) && count >= 0))
        assert.ok(Array.isArray(warnings))
      },
    ],
    [
      'the streamed pieces form the text',
      async ({ port, answers: { request, text } }) => {
        const pieces: string[] = []
        const { message } = await port.ask(request, { ...asking(), onText: (piece) => pieces.push(piece) })
        assert.deepEqual([message.text, pieces.join('')], [text, text])
      },
    ],
    [
      'calls have unique ids, names of tools, and arguments that are objects',
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
      'a request without an answer is a failure with a kind and a code',
      async ({ port, fails }) => {
        const error = await rejection(port.ask(fails, asking()))
        assert.ok(error instanceof ModelFailure, String(error))
        assertCode(error.code)
        assert.ok(error.message.length > 0)
      },
    ],
    [
      'an aborted request ends at once, and the next one is answered',
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
      'the conversation is not changed',
      async ({ port, calls: { request } }) => {
        const before = structuredClone(request.messages)
        await port.ask(request, asking())
        assert.deepEqual(request.messages, before)
      },
    ],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await open()) }))
}
