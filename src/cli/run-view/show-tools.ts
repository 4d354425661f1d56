import type { PlannedTool } from '../../plan/plan.ts'
import { count, duration } from '../terminal/amounts.ts'
import type { Paint } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'

export interface UnaskedCalls {
  readonly tool: string
  /** The text of the rule. */
  readonly rule: string
  /** `--yes`, or the id of a standing rule. */
  readonly by: string
}

export const GATES = {
  allow: ['good', '✓', 'allowed'],
  ask: ['warn', '?', 'needs approval'],
  deny: ['bad', '✗', 'denied'],
} as const
/** Returns each tool with its gate, and the rules for calls that need no approval. */
export function toolLines(
  tools: readonly PlannedTool[],
  unasked: readonly UnaskedCalls[],
  paint: Paint,
): readonly string[] {
  return tools.flatMap((tool) => [
    toolLine(tool, paint),
    ...unasked
      .filter((calls) => calls.tool === tool.name && tool.gate === 'ask')
      .map(
        ({ rule, by }) =>
          `    calls that match ${plainLine(rule, 200)} need no approval ${paint('faint', by)}`,
      ),
  ])
}

/**
 * Returns what a person can do about the tools of each server: trust what it says about them, or review what changed.
 * @param file the definition as given on the command line
 */
export function serverLines(tools: readonly PlannedTool[], file: string, paint: Paint): readonly string[] {
  const servers = Map.groupBy(
    tools.filter(({ declared }) => declared !== undefined),
    ({ declared }) => declared ?? '',
  )
  return [...servers].flatMap(([declared, offered]) => {
    const name = plainLine(declared, 80)
    const claimed = offered.filter(({ claims_read_only }) => claims_read_only === true)
    const changed = offered.filter(({ pin }) => pin !== undefined)
    return [
      ...(claimed.length === 0
        ? []
        : [
            `${name}: its server says that ${claimed.length} of its ${count(offered.length, 'tool')} only ${claimed.length === 1 ? 'reads' : 'read'}; to believe it, set in the config: ${trusting(claimed)}`,
          ]),
      ...(changed.length === 0
        ? []
        : [
            `${name}: ${count(changed.length, 'tool')} ${changed.length === 1 ? 'differs' : 'differ'} from the lock file; review with \`waybill tools diff ${plainLine(file, 200)}\`, accept with \`waybill tools pin ${plainLine(file, 200)}\``,
          ]),
    ].map((line) => `${paint('accent', 'hint')} ${line}`)
  })
}

function trusting([tool]: readonly PlannedTool[]): string {
  const { server, url } = tool?.binding ?? {}
  return typeof server === 'string'
    ? `mcp_servers.${plainLine(server, 80)}.trusted: true`
    : `mcp_servers: { NAME: { url: ${plainLine(String(url), 200)}, trusted: true } }`
}

function toolLine(tool: PlannedTool, paint: Paint): string {
  const [tone, mark, label] = GATES[tool.gate]
  const facts = [
    plainLine(tool.protocol, 60),
    tool.effect === 'read' ? 'reads' : tool.idempotent ? 'writes, idempotent' : 'writes',
    ...(tool.claims_read_only === true ? ['its server says: only reads'] : []),
    ...(tool.endpoint === undefined ? [] : [plainLine(`${tool.method ?? ''} ${tool.endpoint}`.trim(), 200)]),
    ...(tool.auth === undefined ? [] : [`secret ${plainLine(tool.auth.secret)}`]),
    ...(tool.cache_ms === undefined ? [] : [`results cached for ${duration(tool.cache_ms)}`]),
    ...rateFacts(tool),
    ...(tool.found_by === undefined ? [] : [`found by ${plainLine(tool.found_by)}`]),
    ...(tool.doubled === true ? ['test double'] : []),
  ]
  const reason =
    tool.reason === undefined
      ? ''
      : `\n      ${plainLine(tool.reason, 400)}${tool.rule === undefined ? '' : ` ${paint('faint', tool.rule)}`}`
  return `${paint(tone, mark)} ${plainLine(tool.name)} ${paint(tone, label)} ${paint('faint', `(${facts.join('; ')})`)}${reason}`
}

function rateFacts({ rate_limit }: PlannedTool): readonly string[] {
  const { requests_per_minute, tokens_per_minute } = rate_limit ?? {}
  const each = [
    ...(requests_per_minute === undefined ? [] : [count(requests_per_minute, 'call')]),
    ...(tokens_per_minute === undefined ? [] : [count(tokens_per_minute, 'token')]),
  ]
  return each.length === 0 ? [] : [`up to ${each.join(' and ')} per minute`]
}
