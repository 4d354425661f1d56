import { dirname } from 'node:path'
import type { ErrorObject } from '../../document/issue.ts'
import type { Plan } from '../../plan/plan.ts'
import { planFileOf } from '../../plan/plan-file.ts'
import { requestTokens } from '../../plan/request-tokens.ts'
import { callRuleText } from '../../policy/approval/call-rule.ts'
import { earlyEnd } from '../../run/early-end.ts'
import { meaningOf } from '../../session/reviewed-plan.ts'
import { standingRules } from '../../session/standing-rules.ts'
import { writeWhole } from '../files/write-result.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, serverFor } from '../remote/with-records.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { type RunSetup, setUpRun } from '../run-session/run-setup.ts'
import { withEnvFile } from '../run-view/env-file-hint.ts'
import { planText } from '../run-view/show-plan.ts'
import type { UnaskedCalls } from '../run-view/show-tools.ts'
import { timedTriggers } from '../run-view/show-triggers.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

interface Options extends RunOptions, PlaceOptions {
  readonly format?: string
  readonly prompt?: boolean
  readonly assumeSecret?: readonly string[]
  /** The file for the plan. */
  readonly out?: string
}

/** Prints the plan, and whether a run would be refused or fail before its first model request (`waybill plan`). */
export async function planAgent(file: string, options: Options, io: Io): Promise<ExitCode> {
  const server = serverFor(options, io)
  if (server !== undefined) return (await import('./plan-there.ts')).planThere(server, file, options, io)
  const { assumeSecret: assume = [] } = options
  // The value of a key is a likely slip here, so the text is not repeated.
  if (!assume.every((name) => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)))
    throw usageError(
      '--assume-secret needs the name of an environment variable',
      'give the name, never the value, such as --assume-secret OPENAI_API_KEY',
    )
  if (options.out === '-')
    throw usageError('--out needs a file: standard output shows the plan', 'use --out plan.json')
  return withHome(
    io,
    async (home, env) =>
      showPlan(
        file,
        await setUpRun(file, { options, io, home, env }, { assume, patient: options.out !== undefined }),
        options,
        io,
      ),
    environment(options, io),
  )
}

async function showPlan(file: string, setup: RunSetup, options: Options, io: Io): Promise<ExitCode> {
  const { program } = setup
  const { plan } = program
  const error = earlyEnd(program)?.error
  const assumed = assumedSecrets(setup)
  const triggers = await timedTriggers(plan)
  if (wantsJson(options)) {
    const judged = { ok: error === undefined, ...(error !== undefined && { error }) }
    const noted = assumed.length === 0 ? {} : { assumed_secrets: assumed }
    const timed = triggers.length === 0 ? {} : { triggers }
    io.out(
      `${jsonText({ ...judged, plan_hash: program.hash, ...noted, ...plan, tokens_per_request: requestTokens(plan), ...timed, ...agentsOf(setup) })}\n`,
    )
  }
  // The plan is the result of this command, so it goes to standard output and can be piped.
  else
    io.out(
      planText(withLocalHints(plan, io), {
        color: io.color && io.outIsTty,
        prompt: options.prompt === true,
        file,
        unasked: await unaskedCalls(setup),
        assumed,
        triggers,
        ...(error !== undefined && { error }),
      }),
    )
  if (options.out !== undefined) await writePlan(file, setup, { ...options, out: options.out }, error, io)
  return error === undefined ? EXIT.ok : EXIT.no
}

/** Writes the plan for `waybill run --plan`, unless a run would fail: such a plan needs no review. */
async function writePlan(
  file: string,
  setup: RunSetup,
  { out }: { readonly out: string },
  error: ErrorObject | undefined,
  io: Io,
): Promise<void> {
  if (error !== undefined) {
    io.err(`the plan was not written to ${plainLine(out, 200)}, because a run would fail\n`)
    return
  }
  const { program, parts, home } = setup
  const folder = setup.file === undefined ? undefined : dirname(setup.file)
  const meaning = await meaningOf({ ...setup, settings: parts.settings, grants: home.grants, folder })
  const contents = planFileOf(meaning, program.hash, [...new Set(parts.assumed)])
  writeWhole(out, `${JSON.stringify(contents, null, 2)}\n`, io)
  io.err(
    `the plan is in ${plainLine(out, 200)}\n  next waybill run ${plainLine(file, 200)} --plan ${plainLine(out, 200)}, with the same options\n`,
  )
}

export interface AssumedSecret {
  readonly name: string
  /** False if the plan does not need it, which may be a slip in the name. */
  readonly needed: boolean
}

function assumedSecrets({ family, parts: { assumed = [] } }: RunSetup): readonly AssumedSecret[] {
  const needed = new Set(family.flatMap(({ secrets }) => secrets))
  return [...new Set(assumed)].map((name) => ({ name, needed: needed.has(name) }))
}

/** The hints in the text name a file of this folder; the plan itself does not depend on it. */
function withLocalHints(plan: Plan, io: Io): Plan {
  const models = plan.models.map((model) =>
    model.hint === undefined ? model : { ...model, hint: withEnvFile(model.hint, io) },
  )
  return { ...plan, models }
}

/** Returns the plans of the agents that may be called; `subagents[].agent` of their callers names their definition. */
function agentsOf({ program, family }: RunSetup): { readonly agents?: readonly object[] } {
  const agents = family.slice(1).flatMap((plan) => {
    const own = program.family.get(plan.definition_hash)
    return own === undefined ? [] : [{ ok: earlyEnd(own) === null, plan_hash: own.hash, ...plan }]
  })
  return agents.length === 0 ? {} : { agents }
}

async function unaskedCalls({
  program: { plan },
  parts: { settings },
  home,
  definitions,
}: RunSetup): Promise<readonly UnaskedCalls[]> {
  const standing = await standingRules(home.grants, definitions).of(plan)
  return [
    ...(settings.allowed_calls ?? []).map((rule) => ({
      tool: rule.tool,
      rule: callRuleText(rule),
      by: '--yes',
    })),
    ...standing.map(({ rule, what, id }) => ({ tool: rule.tool, rule: what, by: id })),
  ]
}
