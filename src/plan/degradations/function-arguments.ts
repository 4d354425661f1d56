import { type SchemaGap, schemaGaps } from '../../schema/schema-gaps.ts'
import { isFunction } from '../plan-tools.ts'
import type { Snapshot } from '../snapshot.ts'
import { wholeSchema } from '../whole-schema.ts'
import type { Unmet } from './unmet.ts'

/** Differences that one message lists. */
const MOST = 5

/**
 * Returns one entry for each function whose own schema differs from `parameters_schema` of its tool. If no call that
 * the definition describes can reach the function, every level refuses the agent; otherwise it is a note, because the
 * function refuses only the calls that it does not accept.
 */
export function functionArguments(snapshot: Snapshot): readonly Unmet[] {
  return (snapshot.definition.agent.tools ?? []).flatMap((tool, index): Unmet[] => {
    const { functions } = snapshot
    const traits = isFunction(tool) && Object.hasOwn(functions, tool.name) ? functions[tool.name] : undefined
    const path = `/agent/tools/${index}/parameters_schema`
    const written = wholeSchema(snapshot, path, tool.parameters_schema)
    if (traits?.parameters === undefined || written === undefined) return []
    const gaps = schemaGaps(written, traits.parameters)
    if (gaps.length === 0) return []
    const impossible = gaps.filter(({ total }) => total)
    const rule = 'AAIF-4.4-02'
    if (impossible.length === 0) {
      const reason = `the function ${tool.name} does not accept every call that the definition describes: ${listed(gaps)}`
      return [{ path, reason, rule, weight: 'note' }]
    }
    return [
      {
        path,
        reason: `the function ${tool.name} accepts no call that the definition describes: ${listed(impossible)}`,
        rule,
        weight: 'refuse',
        code: 'TOOL_PARAMETERS_DIFFER',
        hint: `write the same schema in the definition (${path}) and in the function`,
      },
    ]
  })
}

function listed(gaps: readonly SchemaGap[]): string {
  const shown = gaps
    .slice(0, MOST)
    .map(
      ({ pointer, written, needed }) =>
        `${pointer || 'the arguments'}: ${written} in the definition, ${needed} in the function`,
    )
  return [...shown, ...(gaps.length > MOST ? [`and ${gaps.length - MOST} more`] : [])].join('; ')
}
