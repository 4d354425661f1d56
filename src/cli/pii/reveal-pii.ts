import { WaybillError } from '../../document/issue.ts'
import { asJson } from '../../document/json.ts'
import { SEALED } from '../../policy/pii/sealed-value.ts'
import { isAuditedRun } from '../../run/record/audit-facts.ts'
import { eachRun } from '../../run/record/each-run.ts'
import { encodeEvent } from '../../run/record/event-line.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { openRecordedPii } from '../../session/open-recorded-pii.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'

interface Options {
  readonly output?: boolean
  readonly envFile?: string
  readonly json?: boolean
  readonly format?: string
}

/** Prints the original values of the placeholders and encrypted values of a run (`waybill pii reveal`). */
export function revealPii(wanted: string, options: Options, io: Io): Promise<void> {
  return withHome(io, (home) => reveal(home, wanted, options, io), environment(options, io))
}

async function reveal(home: Home, wanted: string, options: Options, io: Io): Promise<void> {
  const run = await home.runs.read(await findRun(home, wanted))
  const { port, values } = await openRecordedPii(home, run)
  await auditReveal(home, run, options.output === true, io)
  const json = wantsJson(options)
  if (options.output === true) {
    const output = port.reveal(run.state.end?.output ?? null)
    if (json) io.out(`${jsonText({ run_id: run.header.run_id, output })}\n`)
    else io.out(`${plainText(typeof output === 'string' ? output : jsonText(output))}\n`)
    return
  }
  const placeholders = values.all()
  const sealed = (await sealedIn(home, run)).map((text) => ({
    placeholder: text,
    value: opened(port.reveal(text), text),
  }))
  const revealed = [...placeholders, ...sealed]
  if (json) {
    io.out(`${jsonText({ run_id: run.header.run_id, values: asJson(revealed) })}\n`)
    return
  }
  if (revealed.length === 0) io.err('this run has no encrypted personal data\n')
  for (const { placeholder, value } of revealed)
    io.out(
      `${placeholder.length > 40 ? `${placeholder.slice(0, 24)}…` : placeholder}  ${plainLine(value, 400)}\n`,
    )
}

/** Records who revealed which run in the audit log, if the agent requires an audit log. */
async function auditReveal({ audit }: Home, run: StoredRun, output: boolean, io: Io): Promise<void> {
  if (!isAuditedRun(run)) return
  const { run_id, agent_id } = run.header
  const what = output ? 'output' : 'values'
  const at = new Date().toISOString()
  await audit.append([{ at, kind: 'pii.revealed', run_id, agent_id, what, by: personName(io.env) }])
}

async function sealedIn(home: Home, { header }: StoredRun): Promise<readonly string[]> {
  const texts = new Set<string>()
  for await (const { run_id } of eachRun(home, { root: header.run_id }))
    for (const event of await home.runs.events(run_id))
      for (const text of encodeEvent(event).match(SEALED) ?? []) texts.add(text)
  return [...texts]
}

function opened(value: string, sealed: string): string {
  if (value !== sealed) return value
  throw new WaybillError('PII_VALUES_UNREADABLE', {
    fault: 'failed',
    message: 'the key that is set is not the key that encrypted this run',
    hint: 'set the key that was in use at the time of the run',
  })
}
