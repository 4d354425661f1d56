import type { JsonObject } from '../../src/document/json.ts'
import { compileProgram } from '../../src/plan/compile-program.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { Program } from '../../src/plan/plan.ts'
import { withSecrets } from '../plan/with-secrets.ts'
import { definition, ENV, planOf, SETTINGS } from './fixture.ts'

/** An agent with sub-agents, of which `gone` cannot be found. */
export function familyProgram(
  orchestration: JsonObject,
  members: JsonObject = {},
  settings: Partial<OperatorSettings> = {},
): Program {
  const all = ['a', 'b', 'c', 'gone'].map((ref) => ({ ref }))
  const subagents = (orchestration.subagents ?? all) as readonly { readonly ref: string }[]
  const worker = planOf({ tools: [] })
  const plan = makePlan(
    {
      definition: definition({ tools: [], orchestration: { subagents: all, ...orchestration }, ...members }),
      definition_hash: 'b'.repeat(64),
      context: [],
      subagents: subagents.map(({ ref }, index) => ({
        ref,
        index,
        ...(ref !== 'gone' && {
          found: { definition_hash: worker.definition_hash, name: ref, purpose: 'Work.' },
        }),
      })),
      discovered: {},
      functions: {},
    },
    { ...SETTINGS, ...settings },
    { ...withSecrets(...Object.keys(ENV)), priceOf: () => undefined },
  )
  return compileProgram(plan, [worker])
}
