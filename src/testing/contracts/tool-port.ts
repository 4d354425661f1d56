import assert from 'node:assert/strict'
import type { Json } from '../../document/json.ts'
import { ToolFailure, type ToolPort, type ToolRequest } from '../../run/ports.ts'
import { assertCode, type ContractCase, rejection } from './contract-case.ts'

/** A tool port with calls that show what it promises. */
export interface ToolSubject {
  readonly port: ToolPort
  /** A call that is answered, and what with. */
  readonly answers: { readonly request: ToolRequest; readonly result: Json }
  /** Another one, which is answered differently. */
  readonly other: { readonly request: ToolRequest; readonly result: Json }
  /** A call that the tool itself reports as failed. */
  readonly fails: ToolRequest
  /** A call that is not answered for a long time. */
  readonly hangs: ToolRequest
  /** How many calls have reached the tool; absent where nobody can tell. */
  calls?(): number
}

/**
 * What every caller of tools promises. The port may be one that an extension opens.
 * @param open a subject of its own for each case
 */
export function toolPortContract(open: () => Promise<ToolSubject>): readonly ContractCase[] {
  const calling = () => new AbortController().signal
  const suite: readonly [string, (subject: ToolSubject) => Promise<void>][] = [
    [
      'a call gives its result, and the same call the same one',
      async ({ port, answers: { request, result } }) => {
        assert.deepEqual(await port.call(request, { signal: calling() }), result)
        assert.deepEqual(await port.call(request, { signal: calling() }), result)
      },
    ],
    [
      'calls at the same time get each its own result',
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
      'the arguments stay as they were',
      async ({ port, answers: { request } }) => {
        const before = structuredClone(request.args)
        await port.call(request, { signal: calling() })
        assert.deepEqual(request.args, before)
      },
    ],
    [
      'what the tool reports is a failure that says so, with a code and words for the model',
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
      'a call whose signal has ended never reaches the tool',
      async ({ port, answers: { request }, calls }) => {
        const before = calls?.()
        const reason = new Error('it is too late')
        assert.equal(await rejection(port.call(request, { signal: AbortSignal.abort(reason) })), reason)
        assert.equal(calls?.(), before)
      },
    ],
    [
      'a call that is given up ends at once, and the next one is answered',
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
