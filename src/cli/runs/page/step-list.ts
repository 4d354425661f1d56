import { html, jsonBlock, type Markup } from '../../../document/markup.ts'
import { apply } from '../../../run/apply.ts'
import type { RunEvent } from '../../../run/event.ts'
import { initialState } from '../../../run/initial-state.ts'
import type { StoredRun } from '../../../run/record/records.ts'
import type { RunState } from '../../../run/state.ts'
import { storyOf } from '../../run-view/story.ts'

/** Returns the steps of a run in order, with the arguments and results of its calls. */
export function stepList({ header, plan }: StoredRun, events: readonly RunEvent[]): Markup {
  let state = initialState(header.run_id, header.agent_id, header.plan_hash)
  const steps: Markup[] = []
  for (const event of events) {
    const before = state
    state = apply(state, event)
    const time = new Date(event.at).toISOString().slice(11, 19)
    const more = detailsOf(event, before, state)
    const lines = storyOf(event, before, state, plan)
    for (const [index, { kind, text }] of lines.entries())
      steps.push(
        html`<li class="${kind}"><time>${time}</time><div><span class="says">${text}</span>${index === lines.length - 1 ? more : []}</div></li>\n`,
      )
  }
  return html`<ol class="steps">${steps}</ol>`
}

/** Returns what a line leaves out: whole arguments, results and proposals. */
function detailsOf({ fact, decision }: RunEvent, before: RunState, after: RunState): readonly Markup[] {
  const started = [
    ...(decision.calls ?? []),
    ...(decision.add ?? []),
    ...(decision.replace === undefined ? [] : [decision.replace]),
  ].filter(({ key, agent }) => key !== '' && agent === undefined)
  const parts = started
    .filter(({ args }) => Object.keys(args).length > 0)
    .map(({ tool, args }) => folded(`arguments of ${tool}`, args))
  if (fact.type === 'call.answered' || fact.type === 'call.failed') {
    const call =
      after.calls.find(({ id }) => id === fact.call_id) ?? before.calls.find(({ id }) => id === fact.call_id)
    const result = decision.done?.result ?? call?.result
    if (result !== undefined) return [folded('result', result), ...parts]
  }
  return parts
}

function folded(name: string, value: unknown): Markup {
  return html`<details><summary>${name}</summary>${jsonBlock(value)}</details>`
}
