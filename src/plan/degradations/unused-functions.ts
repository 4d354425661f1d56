import { suggest } from '../../document/suggest.ts'
import { isFunction } from '../plan-tools.ts'
import type { Snapshot, UnusedFunction } from '../snapshot.ts'
import type { Unmet } from './unmet.ts'

/** The longest proposal of a declaration, in characters. */
const LONGEST = 1000

/** Returns a note for each function that was given for the definition although no agent of it calls the function. */
export function unusedFunctions({ definition, functions, unused = [] }: Snapshot): readonly Unmet[] {
  const tools = definition.agent.tools ?? []
  const without = tools.filter((tool) => isFunction(tool) && !Object.hasOwn(functions, tool.name))
  return unused.map((one) => {
    const at = tools.findIndex(({ name }) => name === one.name)
    return {
      // "-" is the place after the last item (RFC 6901).
      path: `/agent/tools/${at === -1 ? '-' : at}`,
      reason: reasonOf(
        one,
        tools[at]?.protocol,
        without.map(({ name }) => name),
      ),
      rule: 'AAIF-4.4-02',
      weight: 'note',
    }
  })
}

function reasonOf(
  { name, description = '…', parameters }: UnusedFunction,
  protocol: string | undefined,
  without: readonly string[],
): string {
  if (protocol !== undefined)
    return `${name} is a tool of protocol ${protocol}, so its function is not called`
  const what = `no tool of the definition is named ${name}, so its function is not called`
  const near = suggest(name, without)
  if (near !== undefined) return `${what}; did you mean ${near}?`
  const entry = JSON.stringify({ name, description, parameters_schema: parameters })
  return `${what}; declare it in agent.tools: ${entry.length > LONGEST ? JSON.stringify({ name, description }) : entry}`
}
