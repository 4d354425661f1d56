import { callRuleText } from '../../policy/approval/call-rule.ts'
import { standingRules } from '../../session/standing-rules.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { environment, type RunSetup, setUpRun } from '../run-session/run-setup.ts'
import { planText, type UnaskedCalls } from '../run-view/show-plan.ts'
import { jsonText } from '../terminal/plain-text.ts'

interface Options extends RunOptions {
  readonly format?: string
  readonly prompt?: boolean
}

/** Prints the plan, and whether a run would be refused (`waybill plan`). */
export function planAgent(file: string, options: Options, io: Io): Promise<ExitCode> {
  return withHome(
    io,
    async (home, env) => showPlan(await setUpRun(file, options, io, home, env), options, io),
    environment(options, io),
  )
}

async function showPlan(setup: RunSetup, options: Options, io: Io): Promise<ExitCode> {
  const { program } = setup
  const { plan } = program
  const ok = plan.refusals.length === 0
  if (wantsJson(options)) io.out(`${jsonText({ ok, plan_hash: program.hash, ...plan })}\n`)
  // The plan is the result of this command, so it goes to standard output and can be piped.
  else
    io.out(
      planText(plan, {
        color: io.color && io.outIsTty,
        prompt: options.prompt === true,
        unasked: await unaskedCalls(setup),
      }),
    )
  return ok ? EXIT.ok : EXIT.no
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
