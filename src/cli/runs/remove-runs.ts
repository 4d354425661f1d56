import { type ErrorObject, WaybillError } from '../../document/issue.ts'
import { removePiiKey } from '../../run/drive/pii-values.ts'
import { RunStore } from '../../run/record/run-store.ts'
import { openAuditLog } from '../../settings/audit.ts'
import { piiKeysFolder, runsFolder } from '../../settings/home.ts'
import { EXIT, type ExitCode, type Io, isInteractive } from '../io.ts'
import { personName } from '../person-name.ts'
import { errorText } from '../report-error.ts'
import { wantsJson } from '../run-options.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'

interface Options {
  readonly all?: boolean
  readonly yes?: boolean
  readonly json?: boolean
  readonly format?: string
}

/** `waybill runs rm`: removes what it may, and says what it kept. */
export async function removeRuns(wanted: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  const store = new RunStore(runsFolder(io.env))
  const json = wantsJson(options)
  if (options.all === true ? wanted.length > 0 : wanted.length === 0) {
    throw usage('name the runs to remove, or all of them with --all', '`waybill runs list` shows their ids')
  }
  const ids =
    options.all === true ? store.roots() : [...new Set(wanted.map((prefix) => store.resolve(prefix)))]
  if (
    options.all === true &&
    options.yes !== true &&
    ids.length > 0 &&
    !(await confirmed(ids.length, json, io))
  )
    return EXIT.no
  const log = openAuditLog(io.env)
  const by = personName(io.env)
  const removed: string[] = []
  const kept: { readonly run_id: string; readonly error: ErrorObject }[] = []
  for (const id of ids) {
    try {
      const audited = isAudited(store, id)
      store.remove(id)
      removePiiKey(piiKeysFolder(io.env), id)
      if (audited) log.append([{ at: new Date().toISOString(), kind: 'run.removed', run_id: id, by }])
      removed.push(id)
    } catch (error) {
      if (!(error instanceof WaybillError)) throw error
      kept.push({ run_id: id, error: error.toJSON() })
    }
  }
  if (json) io.out(`${jsonText({ removed, kept })}\n`)
  else {
    for (const { error } of kept) io.err(errorText(error, io.color))
    io.err(`${count(removed.length, 'run')} removed${kept.length > 0 ? `, ${kept.length} kept` : ''}\n`)
  }
  return kept.length > 0 ? EXIT.no : EXIT.ok
}

/** The log still knows of the run when its record is gone. */
function isAudited(store: RunStore, id: string): boolean {
  try {
    const { plan, family } = store.read(id)
    return !plan.rehearsal && [plan, ...family].some(({ audit }) => audit)
  } catch {
    return false
  }
}

async function confirmed(amount: number, json: boolean, io: Io): Promise<boolean> {
  if (!isInteractive(io, json)) throw usage('removing every run needs a yes', 'add --yes')
  const { prompts, streams } = await openPrompts(io)
  const answer = await prompts.confirm({
    ...streams,
    message: `Remove ${count(amount, 'run')}, with everything that is known of them?`,
    initialValue: false,
  })
  return answer === true
}

function usage(message: string, hint: string): WaybillError {
  return new WaybillError('USAGE', { fault: 'usage', message, hint })
}
