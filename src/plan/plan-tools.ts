import type { JsonObject } from '../document/issue.ts'
import { judgeUrl } from '../policy/endpoint-gate.ts'
import { secretGranted } from '../policy/secret-grant.ts'
import type { AgentDefinition, Tool } from '../spec/aaif/generated/agent.ts'
import type { HostFacts, OperatorSettings } from './operator-settings.ts'
import type { Gate, PlannedAuth, PlannedTool } from './plan.ts'
import type { FunctionTraits, Snapshot } from './snapshot.ts'

/** Every declared tool with its gate: whether a call may leave, must be approved first, or never leaves. */
export function planTools(
  snapshot: Snapshot,
  settings: OperatorSettings,
  host: HostFacts,
): readonly PlannedTool[] {
  return (snapshot.definition.agent.tools ?? []).map((tool) => planTool(tool, snapshot, settings, host))
}

interface Judgement {
  readonly gate: Gate
  readonly reason?: string
  readonly rule?: string
}

function planTool(tool: Tool, snapshot: Snapshot, settings: OperatorSettings, host: HostFacts): PlannedTool {
  const protocol = tool.protocol ?? (tool.endpoint === undefined ? 'function' : 'undetermined')
  const setting = settings.tools[tool.name] ?? {}
  const traits = Object.hasOwn(snapshot.functions, tool.name) ? snapshot.functions[tool.name] : undefined
  const method = protocol === 'http' ? (setting.method ?? 'POST').toUpperCase() : undefined
  const reads = setting.read_only ?? traits?.read_only ?? (method === 'GET' || method === 'HEAD')
  const auth = authOf(tool)
  const real = judge(tool, protocol, auth, traits, settings, host)
  const doubled = settings.rehearsal
  const judged = doubled ? { gate: 'allow' as const } : real
  const gated = approval(judged, reads, snapshot.definition)
  return {
    name: tool.name,
    description: tool.description,
    protocol,
    effect: reads ? 'read' : 'write',
    idempotent: setting.idempotent ?? traits?.idempotent ?? false,
    gate: gated.gate,
    ...reasonOf(gated, real, doubled),
    ...(doubled && { doubled }),
    ...(tool.parameters_schema !== undefined && { parameters_schema: tool.parameters_schema as JsonObject }),
    ...(tool.output_schema !== undefined && { output_schema: tool.output_schema as JsonObject }),
    ...(tool.endpoint !== undefined && { endpoint: tool.endpoint }),
    ...(method !== undefined && { method }),
    ...(tool.timeout_seconds !== undefined && { timeout_ms: tool.timeout_seconds * 1000 }),
    ...(auth !== null && auth !== 'unsupported' && { auth }),
  }
}

/** In a rehearsal nothing refuses, but what a real run would refuse is still said. */
function reasonOf(
  gated: Judgement,
  real: Judgement,
  doubled: boolean,
): Partial<Pick<PlannedTool, 'reason' | 'rule'>> {
  const said = doubled && real.gate === 'deny' ? real : gated
  const text =
    said.reason === undefined
      ? undefined
      : said === real && doubled
        ? `a real run would refuse it: ${said.reason}`
        : said.reason
  return {
    ...(text !== undefined && { reason: text }),
    ...(said.rule !== undefined && { rule: said.rule }),
  }
}

function judge(
  tool: Tool,
  protocol: PlannedTool['protocol'],
  auth: PlannedAuth | null | 'unsupported',
  traits: FunctionTraits | undefined,
  settings: OperatorSettings,
  host: HostFacts,
): Judgement {
  switch (protocol) {
    case 'function':
      if (traits !== undefined) return { gate: 'allow' }
      return deny(
        `no function named ${tool.name} was given; export it from the module of --tools`,
        'AAIF-4.4-02',
      )
    case 'http':
      return judgeHttp(tool, auth, settings, host)
    case 'undetermined':
      return deny('it has an endpoint and no protocol, so how to call it is not known', 'AAIF-4.4-01')
    default:
      return deny(`this version cannot call ${protocol} tools`, 'AAIF-4.4-01')
  }
}

function judgeHttp(
  tool: Tool,
  auth: PlannedAuth | null | 'unsupported',
  settings: OperatorSettings,
  host: HostFacts,
): Judgement {
  if (tool.endpoint === undefined) return deny('an http tool needs an endpoint', 'SPEC-G-01')
  const verdict = judgeUrl(tool.endpoint, settings.grants)
  if (!verdict.allowed) return deny(`${verdict.reason}; ${verdict.hint}`, verdict.rule)
  if (auth === null) return { gate: 'allow' }
  if (auth === 'unsupported') {
    return deny(
      `this version cannot sign in with auth.type ${tool.auth?.type} or from a vault`,
      'AAIF-4.4-09',
    )
  }
  const target = verdict.url.hostname
  if (!secretGranted(auth.secret, verdict.url, settings.secret_grants)) {
    return deny(
      `the secret ${auth.secret} was not granted to ${target}; grant it in the config (secrets) or with --allow-secret ${auth.secret}@${target}`,
      'AAIF-12-02',
    )
  }
  if ((host.env[auth.secret] ?? '') === '') return deny(`${auth.secret} is not set`, 'AAIF-4.4-11')
  return { gate: 'allow' }
}

function deny(reason: string, rule: string): Judgement {
  return { gate: 'deny', reason, rule }
}

function authOf(tool: Tool): PlannedAuth | null | 'unsupported' {
  const type = tool.auth?.type ?? 'none'
  if (type === 'none') return null
  const secret = tool.auth?.env_var
  // A vault reference takes precedence over the variable: falling back from it would be a silent choice.
  if (tool.auth?.vault_ref !== undefined || secret === undefined) return 'unsupported'
  if (type !== 'bearer' && type !== 'api_key' && type !== 'basic') return 'unsupported'
  return { type, secret, ...(tool.auth?.header !== undefined && { header: tool.auth.header }) }
}

/** AAIF §4.9: with human_in_the_loop every write call needs a person's approval. */
function approval(judged: Judgement, reads: boolean, definition: AgentDefinition): Judgement {
  const needed = definition.agent.compliance?.human_in_the_loop?.enabled === true && !reads
  if (!needed || judged.gate !== 'allow') return judged
  return { gate: 'ask', reason: 'human_in_the_loop: a person approves each write call', rule: 'AAIF-4.9-10' }
}
