import { type Asks, asksOf } from '../../run/unsettled.ts'
import { waitingCallObject } from '../../session/waiting-approval.ts'
import { allWaitingCalls, type WaitingCall } from '../../session/waiting-calls.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { shortIds } from '../remote/short-ids.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { count } from '../terminal/amounts.ts'
import { argumentsLine, jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { editedVote, type SeenQuestion, seenQuestions, voteCount } from './seen-votes.ts'

/** Prints the waiting calls of all runs (`waybill approvals list`). */
export async function showApprovalList(
  options: PlaceOptions & { readonly json?: boolean; readonly format?: string },
  io: Io,
): Promise<void> {
  const json = wantsJson(options)
  const { calls, damaged, seen, short } = await withRecords(options, io, async (home, server) => {
    const waiting = await allWaitingCalls(home)
    const ids = waiting.calls.map(({ run }) => run.header.run_id)
    return {
      ...waiting,
      seen: await seenQuestions(server),
      short: await shortIds(home, server, json ? [] : ids),
    }
  })
  const seenOf = ({ run, call }: WaitingCall) => seen(run.header.run_id, call.id)
  if (damaged.length > 0)
    io.err(
      `${count(damaged.length, 'run')} cannot be read, so their waiting calls are unknown: ${damaged.join(', ')}\n`,
    )
  if (json) {
    io.out(
      `${jsonText({ approvals: calls.map((call) => ({ ...waitingCallObject(call), ...seenOf(call) })), ...(damaged.length > 0 && { damaged: damaged.length }) })}\n`,
    )
    return
  }
  if (calls.length === 0) {
    io.out(`no call waits for a decision in ${placeName(options, io)}\n`)
    return
  }
  io.out(
    table(
      calls,
      [
        { head: 'run', text: ({ run }) => short(run.header.run_id), tone: () => 'accent' },
        { head: 'call', text: ({ call }) => plainLine(call.id, 40) },
        {
          head: 'agent',
          text: ({ run }) => plainLine(run.header.agent_name, 30),
          tone: () => 'faint',
          drop: 2,
        },
        { head: 'state', text: (call) => stateOf(call, seenOf(call)), tone: () => 'warn', drop: 1 },
        {
          head: 'would do',
          text: ({ call }) => `${plainLine(call.tool, 60)} ${argumentsLine(call.args, 80)}`,
          tone: () => 'strong',
        },
      ],
      io,
    ),
  )
}

const STATES: Readonly<Record<Asks, readonly string[]>> = {
  approval: [],
  input: ['its server asks'],
  unknown: ['outcome unknown'],
}

function stateOf({ call, decided }: WaitingCall, seen: SeenQuestion): string {
  if (decided !== undefined)
    return `decided: ${decided.verdict} by ${plainLine(decided.by, 40)}; waits for resume`
  const votes = voteCount(seen)
  return [
    ...STATES[asksOf(call)],
    ...(votes === '' ? [] : [votes]),
    ...(editedVote(seen) === undefined ? [] : ['for edited arguments']),
  ].join(', ')
}
