import type { Parts } from '../compose/parts.ts'
import type { Plan } from '../plan/plan.ts'
import { callRuleText } from '../policy/approval/call-rule.ts'
import { EXIT, type ExitCode, type Io } from './io.ts'
import { type RunOptions, wantsJson } from './run-options.ts'
import { setUpRun } from './run-setup.ts'
import { jsonText } from './terminal/plain-text.ts'
import { planText, type UnaskedCalls } from './terminal/show-plan.ts'

interface Options extends RunOptions {
  readonly format?: string
  readonly prompt?: boolean
}

/** `waybill plan`: prints the plan, and says whether a run of it would be refused. */
export async function planAgent(file: string, options: Options, io: Io): Promise<ExitCode> {
  const { program, parts } = await setUpRun(file, options, io)
  const { plan } = program
  const ok = plan.refusals.length === 0
  if (wantsJson(options)) io.out(`${jsonText({ ok, plan_hash: program.hash, ...plan })}\n`)
  // The plan is what was asked for, so it is the output, for a pager as well as for eyes.
  else
    io.out(
      planText(plan, {
        color: io.color && io.outIsTty,
        prompt: options.prompt === true,
        unasked: unaskedCalls(plan, parts),
      }),
    )
  return ok ? EXIT.ok : EXIT.no
}

function unaskedCalls(plan: Plan, { settings, standing }: Parts): readonly UnaskedCalls[] {
  return [
    ...(settings.allowed_calls ?? []).map((rule) => ({
      tool: rule.tool,
      rule: callRuleText(rule),
      by: '--yes',
    })),
    ...(standing?.of(plan) ?? []).map(({ rule, what, id }) => ({ tool: rule.tool, rule: what, by: id })),
  ]
}
