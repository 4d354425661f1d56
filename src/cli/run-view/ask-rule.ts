import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Plan } from '../../plan/plan.ts'
import { callRuleText, parseCallRule, ruleLike, whyNotCovered } from '../../policy/approval/call-rule.ts'
import type { Grant } from '../../run/record/grant.ts'
import type { CallEntry } from '../../run/state.ts'
import { assertArguments, grantOfRule } from '../../session/check-rule.ts'
import type { Home } from '../../session/home.ts'
import { previewRule } from '../../session/preview-rule.ts'
import { giveGrant, newGrantId } from '../../settings/remembered-grants.ts'
import type { Io } from '../io.ts'
import { previewText } from '../standing-rules/preview-text.ts'
import { untilOf } from '../standing-rules/until.ts'
import { chooseDeliberately } from '../terminal/choose-deliberately.ts'
import { painter } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'

interface Asked {
  readonly call: CallEntry
  readonly args: JsonObject
  readonly plan: Plan
  readonly home: Home
  /** The identities of the agents of the run, by definition hash. */
  readonly definitions: Readonly<Record<string, string>>
  readonly by: string
}

const TIMES = [
  { value: '1h', label: 'An hour' },
  { value: '8h', label: 'Eight hours' },
  { value: '7d', label: 'Seven days' },
  { value: 'back', label: 'Cancel', hint: 'decide about this call only' },
]

/**
 * Asks which similar calls need no approval from now on, and for how long. Shows the effect on past calls before the
 * grant is stored.
 * @returns null if the person goes back
 */
export async function askRule(
  { call, args, plan, home, definitions, by }: Asked,
  signal: AbortSignal,
  io: Io,
): Promise<Grant | null> {
  const tool = plan.tools.find(({ name }) => name === call.tool)
  const definition = ownMember(definitions, plan.definition_hash)
  if (tool === undefined || definition === undefined) return null
  const { prompts, streams } = await openPrompts(io)
  const text = await prompts.text({
    ...streams,
    signal,
    message:
      'Which calls? (* matches part of a text, ** matches anything; arguments not listed may have any value)',
    initialValue: callRuleText(ruleLike(call.tool, args)),
    validate: (typed) => problemOf(typed ?? ''),
  })
  if (prompts.isCancel(text)) return null
  const rule = parseCallRule(text)
  io.err(previewText(rule, await previewRule(rule, plan.agent_id, home), painter(io.color)))
  const message = `Allow these calls of ${plainLine(plan.agent_name, 60)} for how long?`
  const time = await chooseDeliberately({ message, options: TIMES, safe: 'back', signal }, io)
  if (time === undefined || time === 'back') return null
  const now = new Date()
  const until = untilOf(time, now)
  const grant: Grant = {
    id: newGrantId(),
    ...grantOfRule(rule, { plan, tool }),
    definition,
    ...defined({ until }),
    by,
    at: now.toISOString(),
  }
  await giveGrant(home.grants, grant)
  return grant

  function problemOf(typed: string): string | undefined {
    try {
      const wanted = parseCallRule(typed)
      if (wanted.tool !== call.tool) return `the rule must name the tool ${call.tool}`
      if (tool !== undefined) assertArguments(wanted, tool)
      const why = whyNotCovered(wanted, args)
      return why === null ? undefined : `the rule does not match this call: ${why}`
    } catch (error) {
      return error instanceof WaybillError ? error.message : String(error)
    }
  }
}
