import { type Json, WaybillError } from '../../document/issue.ts'
import { SEALED } from '../../policy/pii/sealed-value.ts'
import { openPii } from '../../run/drive/open-pii.ts'
import { hasPiiValues } from '../../run/drive/pii-values.ts'
import { encodeEvent } from '../../run/record/event-line.ts'
import { RunStore, type StoredRun } from '../../run/record/run-store.ts'
import { openAuditLog } from '../../settings/audit.ts'
import { runsFolder } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { wantsJson } from '../run-options.ts'
import { environment } from '../run-setup.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'
import { piiPlaceOf } from './pii-place.ts'

interface Options {
  readonly output?: boolean
  readonly envFile?: string
  readonly json?: boolean
  readonly format?: string
}

/** `waybill pii reveal`: what stands behind the placeholders and sealed values of a run. */
export function revealPii(wanted: string, options: Options, io: Io): void {
  const store = new RunStore(runsFolder(io.env))
  const run = store.read(store.resolve(wanted))
  const env = environment(options, io)
  const place = piiPlaceOf(run.header, env)
  const { port, values } = openPii([run.plan, ...run.family], env, place)
  auditReveal(run, options.output === true, io)
  const json = wantsJson(options)
  if (options.output === true) {
    const output = port.reveal(run.state.end?.output ?? null)
    if (json) io.out(`${jsonText({ run_id: run.header.run_id, output })}\n`)
    else io.out(`${plainText(typeof output === 'string' ? output : jsonText(output))}\n`)
    return
  }
  const placeholders = hasPiiValues(place.folder) ? values.all() : []
  const sealed = sealedIn(store, run).map((text) => ({
    placeholder: text,
    value: opened(port.reveal(text), text),
  }))
  const revealed = [...placeholders, ...sealed]
  if (json) {
    io.out(`${jsonText({ run_id: run.header.run_id, values: revealed as unknown as Json })}\n`)
    return
  }
  if (revealed.length === 0) io.err('nothing in this run stands for personal data\n')
  for (const { placeholder, value } of revealed)
    io.out(
      `${placeholder.length > 40 ? `${placeholder.slice(0, 24)}…` : placeholder}  ${plainLine(value, 400)}\n`,
    )
}

/** What leaves a sealed record is on record where the agent asks for it: who looked, and at what. */
function auditReveal({ header, plan, family }: StoredRun, output: boolean, io: Io): void {
  if (plan.rehearsal || ![plan, ...family].some(({ audit }) => audit)) return
  const { run_id, agent_id } = header
  const what = output ? 'output' : 'values'
  const at = new Date().toISOString()
  openAuditLog(io.env).append([{ at, kind: 'pii.revealed', run_id, agent_id, what, by: personName(io.env) }])
}

function sealedIn(store: RunStore, { header }: StoredRun): readonly string[] {
  const members = store
    .list()
    .filter((id) => id === header.run_id || store.read(id).header.parent?.root_run_id === header.run_id)
  const texts = members.flatMap((id) =>
    store.events(id).flatMap((event) => encodeEvent(event).match(SEALED) ?? []),
  )
  return [...new Set(texts)]
}

function opened(value: string, sealed: string): string {
  if (value !== sealed) return value
  throw new WaybillError('PII_VALUES_UNREADABLE', {
    fault: 'failed',
    message: 'the run was encrypted with another key than the one that is set',
    hint: 'set the key that was in use when it ran',
  })
}
