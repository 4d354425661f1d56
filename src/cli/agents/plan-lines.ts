import type { ShortPlan } from '../../platform/agents/agent.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** Returns what a run would lack, as lines. @param plan absent or null: it is not known */
export function lacksText(plan: ShortPlan | null | undefined): string {
  if (plan === null || plan === undefined) return ''
  const { ok, error, models, tools, subagents, degraded } = plan
  const lines = [
    ok ? 'a run can begin' : `a run would fail: ${error?.message ?? 'see waybill plan'}`,
    ...(error?.hint === undefined ? [] : [`  hint ${error.hint}`]),
    ...models.map(
      ({ provider, model, reason }) => `  model ${provider}/${model}: ${reason ?? 'cannot be used'}`,
    ),
    ...tools.map(({ name, reason }) => `  tool ${name}: ${reason}`),
    ...subagents.map(({ alias, reason }) => `  sub-agent ${alias}: ${reason}`),
    ...degraded.map(({ path, reason }) => `  ${path}: ${reason}`),
  ]
  return lines.map((line) => `${plainLine(line, 500)}\n`).join('')
}
