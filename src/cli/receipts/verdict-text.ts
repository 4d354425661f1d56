import type { JudgedWrite, ReceiptsVerdict, WriteVerdict } from '../../trust/receipts/receipts-verdict.ts'
import type { Io } from '../io.ts'
import { count } from '../terminal/amounts.ts'
import { painter, type Tone } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'

const SHOWN: Readonly<Record<WriteVerdict, { readonly text: string; readonly tone: Tone }>> = {
  once: { text: 'once', tone: 'good' },
  unknown: { text: 'once at most', tone: 'warn' },
  resent: { text: 'sent again', tone: 'warn' },
  sent_again: { text: 'TWICE', tone: 'bad' },
  not_sent: { text: 'not sent', tone: 'faint' },
  waiting: { text: 'not sent yet', tone: 'faint' },
  by_origin: { text: 'not sent', tone: 'faint' },
  rehearsed: { text: 'rehearsed', tone: 'faint' },
}

/** Returns a line for each write, for standard output, and the problems with the sum, for standard error. */
export function verdictText(
  { ok, run_id, status, hosts, writes, problems }: ReceiptsVerdict,
  io: Io,
): { readonly writes: string; readonly summary: string } {
  const onOut = painter(io.color && io.outIsTty)
  const paint = painter(io.color)
  const lines = writes.map((write) => {
    const { text, tone } = SHOWN[write.verdict]
    return `${onOut(tone, text.padEnd(12))}  ${plainLine(factsOf(write), 1000)}\n`
  })
  const found = problems.map(({ line, code, message, hint }) => {
    const place = line === undefined ? '' : `line ${line}: `
    return `${paint('bad', '✗')} ${place}${plainLine(message, 1000)} ${paint('faint', code)}\n  ${paint('accent', 'fix')} ${plainLine(hint, 300)}\n`
  })
  const over = `${count(writes.length, 'write')} over ${count(hosts.length, 'host')}`
  const sum = ok
    ? `${paint('good', '✓')} ${over}: each was sent at most once${exceptions(writes)}; run ${run_id} ${status}\n`
    : `${paint('bad', '✗')} ${over}: not proven, ${count(problems.length, 'problem')}\n`
  return { writes: lines.join(''), summary: [...found, sum].join('') }
}

function factsOf({
  tool_name,
  outcome,
  host,
  run_id,
  key,
  sendings,
  of_origin,
  origin_key,
}: JudgedWrite): string {
  const deciders = sendings.flatMap(({ by }) => (by === undefined ? [] : [by]))
  return [
    tool_name,
    outcome.replaceAll('_', ' '),
    ...(deciders.length === 0 ? [] : [`sent again by the decision of ${deciders.join(', ')}`]),
    ...(of_origin === true ? ['by the run of origin'] : []),
    ...(origin_key === undefined ? [] : [`stands for ${origin_key ?? 'a write that is not in this file'}`]),
    `run ${run_id}`,
    `on ${host}`,
    `key ${key}`,
  ].join(' · ')
}

function exceptions(writes: readonly JudgedWrite[]): string {
  const amount = (wanted: WriteVerdict) => writes.filter(({ verdict }) => verdict === wanted).length
  const [resent, unknown] = [amount('resent'), amount('unknown')]
  const parts = [
    ...(resent === 0 ? [] : [`${resent} sent again by the decision of a person`]),
    ...(unknown === 0 ? [] : [`the outcome of ${unknown} is not known`]),
  ]
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`
}
