import assert from 'node:assert/strict'
import type { Json } from '../../document/json.ts'
import { ToolFailure, type ToolPort, type ToolRequest } from '../../run/ports.ts'
import { assertCode, type ContractCase, rejection } from './contract-case.ts'

/** A tool port with calls for each kind of behaviour. */
export interface ToolSubject {
  readonly port: ToolPort
  /** A call, and its result. */
  readonly answers: { readonly request: ToolRequest; readonly result: Json }
  /** Another call with a different result. */
  readonly other: { readonly request: ToolRequest; readonly result: Json }
  /** A call that the tool itself reports as failed. */
  readonly fails: ToolRequest
  /** A call that is not answered for a long time. */
  readonly hangs: ToolRequest
  /** Returns how many calls have reached the tool; absent if that is unknown. */
  calls?(): number
}

/**
 * Returns the contract of every tool port, including those of extensions.
 * @param open returns a new subject for each case
 */
export function toolPortContract(open: () => Promise<ToolSubject>): readonly ContractCase[] {
  const calling = () => new AbortController().signal
  const suite: readonly [string, (subject: ToolSubject) => Promise<void>][] = [
    [
      'a call returns its result, and the same call the same result',
      async ({ port, answers: { request, result } }) => {
        assert.deepEqual(await port.call(request, { signal: calling() }), result)
        assert.deepEqual(await port.call(request, { signal: calling() }), result)
      },
    ],
    [
      'concurrent calls get their own results',
      async ({ port, answers, other }) => {
        const both = [answers, other, answers, other]
        const results = both.map(({ request }) => port.call(request, { signal: calling() }))
        assert.deepEqual(
          await Promise.all(results),
          both.map(({ result }) => result),
        )
      },
    ],
    [
      'the arguments are not changed',
      async ({ port, answers: { request } }) => {
        const before = structuredClone(request.args)
        await port.call(request, { signal: calling() })
        assert.deepEqual(request.args, before)
      },
    ],
    [
      'a failure that the tool reports has the outcome `answered`, a code and a message for the model',
      async ({ port, fails }) => {
        const error = await rejection(port.call(fails, { signal: calling() }))
        assert.ok(error instanceof ToolFailure, String(error))
        assert.equal(error.outcome, 'answered')
        assertCode(error.code)
        assert.ok(error.message.length > 0)
      },
    ],
    [
      'after a failure the next call is answered',
      async ({ port, fails, answers: { request, result } }) => {
        await rejection(port.call(fails, { signal: calling() }))
        assert.deepEqual(await port.call(request, { signal: calling() }), result)
      },
    ],
    [
      'a call with an aborted signal never reaches the tool',
      async ({ port, answers: { request }, calls }) => {
        const before = calls?.()
        const reason = new Error('it is too late')
        assert.equal(await rejection(port.call(request, { signal: AbortSignal.abort(reason) })), reason)
        assert.equal(calls?.(), before)
      },
    ],
    [
      'an aborted call ends at once, and the next one is answered',
      async ({ port, hangs, answers: { request, result } }) => {
        const stop = new AbortController()
        const hanging = rejection(port.call(hangs, { signal: stop.signal }))
        setTimeout(() => stop.abort(new Error('enough')), 50)
        await hanging
        assert.deepEqual(await port.call(request, { signal: calling() }), result)
      },
    ],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await open()) }))
}
