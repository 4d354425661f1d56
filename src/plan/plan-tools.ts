import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'
import { suggest } from '../document/suggest.ts'
import {
  callFingerprint,
  grantsForUse,
  hostsForUse,
  type IdentifiedCall,
} from '../policy/call-fingerprint.ts'
import { judgeConnection } from '../policy/endpoint-gate.ts'
import { judgeResidency } from '../policy/residency.ts'
import { secretUse } from '../policy/secret-grant.ts'
import type { SchemaProblem } from '../schema/user-schema.ts'
import type { Tool } from '../spec/aaif/generated/agent.ts'
import type { HostFacts, OperatorSettings, ProtocolFacts } from './operator-settings.ts'
import {
  type Gate,
  OWN_PROTOCOLS,
  type OwnProtocol,
  type PlannedAuth,
  type PlannedModel,
  type PlannedTool,
  type SafetyLevel,
} from './plan.ts'
import type { DiscoveredTool, FunctionTraits, Snapshot } from './snapshot.ts'
import { pinState } from './tool-pins.ts'
import { notCheckedFor, wholeOffer, wholeSchema } from './whole-schema.ts'

/** Facts of the plan that affect its tools. */
export interface ToolLimits {
  readonly models: readonly PlannedModel[]
  /** The regions in which data must stay. */
  readonly regions: readonly string[]
  /** Whether a person must approve writes. */
  readonly asks: boolean
  readonly level: SafetyLevel
}

/** Returns all declared tools with their gates: allowed, needs approval, or denied. */
export function planTools(
  snapshot: Snapshot,
  settings: OperatorSettings,
  host: HostFacts,
  { models, regions, asks, level }: ToolLimits,
): readonly PlannedTool[] {
  const context: Context = {
    snapshot,
    settings,
    host,
    regions,
    asks,
    level,
    longestResult: resultChars(models),
  }
  const declared = snapshot.definition.agent.tools ?? []
  const taken = new Set(declared.map(({ name }) => name))
  return declared.flatMap((tool, index) => {
    const planned = planTool(tool, index, context)
    const found = Object.hasOwn(snapshot.discovered, tool.name) ? snapshot.discovered[tool.name] : undefined
    if (found === undefined) return [planned]
    if (!found.found) return [settings.rehearsal ? planned : refused(planned, found.reason, found.rule)]
    if (found.as_declared !== undefined) return [{ ...planned, binding: found.as_declared }]
    const alone = found.tools.length === 1
    return found.tools.map((each) => planDiscovered(each, tool, planned, alone, taken, context))
  })
}

/** The inputs of tool planning. */
interface Context extends Omit<ToolLimits, 'models'> {
  readonly snapshot: Snapshot
  readonly settings: OperatorSettings
  readonly host: HostFacts
  /** The length of a result in characters. */
  readonly longestResult: number
}

/** The largest result if no context window limits it, in characters. */
const DEFAULT_RESULT_CHARS = 100_000

/** Returns the largest result: half of the smallest context window of the run, at four characters per token. */
function resultChars(models: readonly PlannedModel[]): number {
  const windows = models.flatMap(({ eligible, context_window }) =>
    eligible && context_window !== undefined ? [context_window * 2] : [],
  )
  return Math.floor(Math.min(DEFAULT_RESULT_CHARS, ...windows))
}

function refused(tool: PlannedTool, reason: string, rule: string): PlannedTool {
  return { ...tool, gate: 'deny', reason, rule }
}

/**
 * Plans one of the tools that a declaration offers. It has its own name, or the declared name if it is the only one. A
 * name that is already used, or that function-calling APIs do not accept, gets the declared name as a prefix.
 */
function planDiscovered(
  found: DiscoveredTool,
  tool: Tool,
  declared: PlannedTool,
  alone: boolean,
  taken: Set<string>,
  context: Context,
): PlannedTool {
  const { snapshot, settings } = context
  const name = alone ? declared.name : freeName(found.name, declared.name, taken)
  taken.add(name)
  const setting = ownMember(settings.tools, name) ?? ownMember(settings.tools, declared.name) ?? {}
  const reads = setting.read_only ?? found.read_only
  const { reason: _reason, rule: _rule, parameters_schema: _schema, auth, ...base } = declared
  const signsIn = found.signs_in !== false
  const whole = wholeOffer(found, settings.schemas)
  const pin = brokenPin(found, tool, snapshot)
  const real = checked(judgeDiscovered(found, tool, declared, pin, context), whole.unchecked, reads, context)
  const doubled = settings.rehearsal
  const gated = approval(doubled ? { gate: 'allow' } : real, reads, context.asks)
  const said = reasonOf(gated, real, doubled)
  return {
    ...base,
    name,
    description: found.description === '' ? declared.description : found.description,
    declared: declared.name,
    effect: reads ? 'read' : 'write',
    idempotent: setting.idempotent ?? found.idempotent,
    ...(found.claims_read_only === true && !reads && { claims_read_only: true as const }),
    gate: gated.gate,
    ...(real.gate === 'deny' ? said : withNotes(said, [found.note, whole.note])),
    ...defined({ endpoint: found.url, method: found.method }),
    ...(signsIn && auth !== undefined && { auth }),
    ...(pin !== null && { pin }),
    ...(found.unavailable !== undefined && { unavailable: true as const }),
    parameters_schema: whole.parameters_schema,
    ...defined({ output_schema: whole.output_schema }),
    binding: found.binding,
  }
}

/** Adds notes for the reader of the plan to the reason of a gate, which may be absent. */
function withNotes(
  said: Partial<Pick<PlannedTool, 'reason' | 'rule'>>,
  notes: readonly (string | undefined)[],
): Partial<Pick<PlannedTool, 'reason' | 'rule'>> {
  const texts = [said.reason, ...notes].filter((text) => text !== undefined)
  return texts.length === 0 ? said : { ...said, reason: texts.join('; ') }
}

function judgeDiscovered(
  found: DiscoveredTool,
  tool: Tool,
  declared: PlannedTool,
  pin: NonNullable<PlannedTool['pin']> | null,
  context: Context,
): Judgement {
  if (declared.gate === 'deny') return { gate: 'deny', ...reasonAnd(declared) }
  if (found.unavailable !== undefined) return deny(found.unavailable, 'AAIF-4.4-06')
  if (pin !== null) return deny(PIN_REASONS[pin], 'AAIF-12-02')
  const auth = found.signs_in === false ? null : authOf(tool)
  const endpoint = found.url ?? tool.endpoint
  const use = fingerprintOf(declared.protocol, endpoint, auth, found)
  if (found.url === undefined) return judgeServer(found, tool, use, context)
  return judgeEndpoint(found.url, tool, auth, context, use)
}

/** Returns the fingerprint of the call that is planned: of the same members as those of the planned tool. */
function fingerprintOf(
  protocol: string,
  endpoint: string | undefined,
  auth: PlannedAuth | null | 'unsupported',
  { method, binding }: Pick<IdentifiedCall, 'method' | 'binding'>,
): string | undefined {
  return callFingerprint({
    protocol,
    endpoint,
    method,
    binding,
    ...(auth !== null && auth !== 'unsupported' && { auth }),
  })
}

/**
 * Judges an MCP tool. Discovery already reached the server; its region must also be permitted (AAIF §4.9). A grant for the
 * address of a definition is for the tools that the server offered when it was given.
 */
function judgeServer(
  { binding }: DiscoveredTool,
  tool: Tool,
  use: string | undefined,
  context: Context,
): Judgement {
  const { settings, regions } = context
  const name = binding.server
  if (name === undefined && typeof binding.url === 'string')
    return judgeEndpoint(binding.url.replace(/^ws/i, 'http'), tool, authOf(tool), context, use)
  const servers = settings.mcp_servers ?? {}
  const server = typeof name === 'string' && Object.hasOwn(servers, name) ? servers[name] : undefined
  const url = server === undefined ? binding.url : 'url' in server ? server.url : undefined
  return typeof url === 'string' ? (outside(url, settings, regions) ?? { gate: 'allow' }) : { gate: 'allow' }
}

function outside(url: string, settings: OperatorSettings, regions: readonly string[]): Judgement | undefined {
  for (const region of regions) {
    const kept = judgeResidency(region, { url }, settings.residency)
    if (!kept.inside) return deny(kept.reason, 'AAIF-4.9-04')
  }
  return undefined
}

const PIN_REASONS: Readonly<Record<NonNullable<PlannedTool['pin']>, string>> = {
  changed: 'it differs from the lock file: its description, its schemas, its effect or its hints',
  new: 'it is new: it was added after the tools were pinned',
  moved: 'the endpoint differs from the lock file',
}

/** Denies a tool that differs from the lock file until a person has reviewed it, because a server may change at any time. */
function brokenPin(
  found: DiscoveredTool,
  tool: Tool,
  { pins }: Snapshot,
): NonNullable<PlannedTool['pin']> | null {
  if (pins === undefined) return null
  const state = pinState(pins.lock, tool, found)
  return state === 'changed' || state === 'new' || state === 'moved' ? state : null
}

function reasonAnd({ reason, rule }: { readonly reason?: string; readonly rule?: string }) {
  return defined({ reason, rule })
}

function freeName(wanted: string, declared: string, taken: ReadonlySet<string>): string {
  const plain = wanted
    .replaceAll(/[^a-zA-Z0-9_-]/g, '_')
    .replace(/^(?=[^a-zA-Z_])/, '_')
    .slice(0, 64)
  const candidates = [plain, `${declared}_${plain}`.slice(0, 64)]
  for (let n = 2; n < 1000; n++) candidates.push(`${declared.slice(0, 20)}_${plain.slice(0, 38)}_${n}`)
  return candidates.find((name) => !taken.has(name)) ?? plain
}

interface Judgement {
  readonly gate: Gate
  readonly reason?: string
  readonly rule?: string
}

/** Returns whether a tool of a definition is a function of the operator. */
export function isFunction({ protocol, endpoint }: Pick<Tool, 'protocol' | 'endpoint'>): boolean {
  return protocol === 'function' || (protocol === undefined && endpoint === undefined)
}

function planTool(tool: Tool, index: number, context: Context): PlannedTool {
  const { snapshot, settings, longestResult } = context
  const protocol = isFunction(tool) ? 'function' : (tool.protocol ?? 'undetermined')
  const setting = ownMember(settings.tools, tool.name) ?? {}
  const given = protocol === 'function' && Object.hasOwn(snapshot.functions, tool.name)
  const traits = given ? snapshot.functions[tool.name] : undefined
  const method = protocol === 'http' ? (setting.method ?? 'POST').toUpperCase() : undefined
  const reads = setting.read_only ?? traits?.read_only ?? (method === 'GET' || method === 'HEAD')
  // A function manages its own access, so the plan has no credential for it.
  const auth = protocol === 'function' ? null : authOf(tool)
  const at = `/agent/tools/${index}`
  const parameters = wholeSchema(snapshot, `${at}/parameters_schema`, tool.parameters_schema)
  const result = wholeSchema(snapshot, `${at}/output_schema`, tool.output_schema)
  const real = checked(
    judge(tool, protocol, auth, method, traits, context),
    snapshot.schemas?.[`${at}/parameters_schema`]?.problems ?? [],
    reads,
    context,
  )
  const doubled = settings.rehearsal
  const judged = doubled ? { gate: 'allow' as const } : real
  const gated = approval(judged, reads, context.asks)
  return {
    name: tool.name,
    description: tool.description,
    protocol,
    effect: reads ? 'read' : 'write',
    idempotent: setting.idempotent ?? traits?.idempotent ?? false,
    gate: gated.gate,
    ...reasonOf(gated, real, doubled),
    ...(doubled && { doubled }),
    ...defined({ parameters_schema: parameters ?? traits?.parameters, output_schema: result }),
    ...defined({ endpoint: tool.endpoint, method }),
    ...(tool.timeout_seconds !== undefined && { timeout_ms: tool.timeout_seconds * 1000 }),
    ...((tool.cache_ttl_seconds ?? 0) > 0 && { cache_ms: (tool.cache_ttl_seconds ?? 0) * 1000 }),
    ...defined({ rate_limit: tool.rate_limit }),
    ...(longestResult < DEFAULT_RESULT_CHARS && { max_result_chars: longestResult }),
    ...(auth !== null && auth !== 'unsupported' && { auth }),
  }
}

/** Returns the reason of a gate. In a rehearsal it states what a real run would deny. */
function reasonOf(
  gated: Judgement,
  real: Judgement,
  doubled: boolean,
): Partial<Pick<PlannedTool, 'reason' | 'rule'>> {
  if (doubled && real.gate === 'deny')
    return defined({ reason: `a real run would deny it: ${real.reason}`, rule: real.rule })
  return defined({ reason: gated.reason, rule: gated.rule })
}

/** Returns why a tool has no function; names a function of the module that no tool uses and that is spelled alike. */
function noFunction(name: string, { functions, definition }: Context['snapshot']): string {
  const used = new Set((definition.agent.tools ?? []).map((tool) => tool.name))
  const unused = Object.keys(functions).filter((one) => !used.has(one))
  const near = suggest(name, unused)
  const way =
    near === undefined
      ? 'export it from the module given with --tools'
      : `the module exports ${near}, which no tool uses: did you mean ${name}?`
  return `no function named ${name} is available; ${way}`
}

function judge(
  tool: Tool,
  protocol: PlannedTool['protocol'],
  auth: PlannedAuth | null | 'unsupported',
  method: string | undefined,
  traits: FunctionTraits | undefined,
  context: Context,
): Judgement {
  if (!isOwn(protocol)) return judgeExtension(tool, protocol, auth, context)
  switch (protocol) {
    case 'function':
      if (traits !== undefined) return { gate: 'allow' }
      return deny(noFunction(tool.name, context.snapshot), 'AAIF-4.4-02')
    case 'http':
      if (tool.endpoint === undefined) return deny('an http tool needs an endpoint', 'SPEC-G-01')
      return judgeEndpoint(
        tool.endpoint,
        tool,
        auth,
        context,
        fingerprintOf(protocol, tool.endpoint, auth, { method }),
      )
    case 'undetermined':
      return deny('it has an endpoint but no protocol, so it cannot be called', 'AAIF-4.4-01')
    case 'mcp':
    case 'openapi':
      // Discovery already checked whether it can be reached.
      if (Object.hasOwn(context.snapshot.discovered, tool.name)) return { gate: 'allow' }
      return deny(`no adapter is configured for ${protocol} tools`, 'AAIF-4.4-01')
    case 'agent':
    case 'memory':
    case 'search':
      return deny(`a definition cannot declare a tool of protocol ${protocol}`, 'AAIF-4.4-01')
  }
}

function isOwn(protocol: string): protocol is OwnProtocol {
  return (OWN_PROTOCOLS as readonly string[]).includes(protocol)
}

/** Judges a tool whose protocol an extension adds: the target of its endpoint is gated like that of any tool. */
function judgeExtension(
  tool: Tool,
  protocol: string,
  auth: PlannedAuth | null | 'unsupported',
  context: Context,
): Judgement {
  const facts = protocolFacts(protocol, context.host)
  if (facts === undefined) {
    return deny(
      `the protocol ${protocol} is not supported; add an extension that supports it to the config (extensions)`,
      'AAIF-4.4-01',
    )
  }
  if (facts.reach !== 'nothing' && tool.endpoint === undefined)
    return deny(`a tool of protocol ${protocol} needs an endpoint`, 'SPEC-G-01')
  if (facts.reach === 'host') {
    const { binding } = asDeclared(tool, context)
    const use = fingerprintOf(protocol, tool.endpoint, auth, { ...defined({ binding }) })
    return judgeEndpoint(tool.endpoint ?? '', tool, auth, context, use)
  }
  if (auth !== null)
    return deny(
      `a secret can be sent only to a host, but the protocol ${protocol} does not use one`,
      'AAIF-12-02',
    )
  return { gate: 'allow' }
}

/** Returns the data of a declaration that an extension calls without discovery. */
function asDeclared({ name }: Tool, { snapshot }: Context): { readonly binding?: JsonObject } {
  const found = Object.hasOwn(snapshot.discovered, name) ? snapshot.discovered[name] : undefined
  return found?.found === true ? defined({ binding: found.as_declared }) : {}
}

function protocolFacts(protocol: string, { extensions }: HostFacts): ProtocolFacts | undefined {
  const protocols = extensions?.protocols ?? {}
  return Object.hasOwn(protocols, protocol) ? protocols[protocol] : undefined
}

/**
 * Judges whether a call may be sent to this URL with its credential.
 * @param call the fingerprint of the call: grants for one definition are for the calls that they record
 */
function judgeEndpoint(
  endpoint: string,
  tool: Tool,
  auth: PlannedAuth | null | 'unsupported',
  { settings, host, regions }: Context,
  call: string | undefined,
): Judgement {
  const verdict = judgeConnection(endpoint, hostsForUse(settings.grants, call))
  if (!verdict.allowed) return deny(`${verdict.reason}; ${verdict.hint}`, verdict.rule)
  const elsewhere = outside(endpoint, settings, regions)
  if (elsewhere !== undefined) return elsewhere
  if (auth === null) return { gate: 'allow' }
  if (auth === 'unsupported') {
    return deny(
      `credentials of auth.type ${tool.auth?.type} or from a vault are not supported`,
      'AAIF-4.4-09',
    )
  }
  const target = verdict.url.hostname
  const use = secretUse(auth.secret, verdict.url, grantsForUse(settings.secret_grants, call))
  if (use === null) {
    return deny(
      `the secret ${auth.secret} is not granted to ${target}; grant it in the config (secrets) or with --allow-secret ${auth.secret}@${target}`,
      'AAIF-12-02',
    )
  }
  if (!host.hasSecret(auth.secret, use)) return deny(`${auth.secret} is not set`, 'AAIF-4.4-11')
  return { gate: 'allow' }
}

function deny(reason: string, rule: string): Judgement {
  return { gate: 'deny', reason, rule }
}

/** Returns the credential of a declared tool; null if it needs none, `unsupported` if this version does not support it. */
export function authOf(tool: Pick<Tool, 'auth'>): PlannedAuth | null | 'unsupported' {
  const type = tool.auth?.type ?? 'none'
  if (type === 'none') return null
  const secret = tool.auth?.env_var
  // A vault reference takes precedence over the variable; a fallback to the variable would be silent.
  if (tool.auth?.vault_ref !== undefined || secret === undefined) return 'unsupported'
  if (type !== 'bearer' && type !== 'api_key' && type !== 'basic') return 'unsupported'
  return { type, secret, ...defined({ header: tool.auth?.header }) }
}

/** Denies a write at level regulated if a part of its arguments cannot be checked. */
function checked(
  judged: Judgement,
  problems: readonly SchemaProblem[],
  reads: boolean,
  { level }: Context,
): Judgement {
  const why = level === 'regulated' && !reads ? notCheckedFor(problems) : undefined
  return why === undefined || judged.gate === 'deny' ? judged : deny(why, 'AAIF-4.4-02')
}

/** Returns the gate of a tool: with human_in_the_loop, every write needs approval (AAIF §4.9). */
function approval(judged: Judgement, reads: boolean, asks: boolean): Judgement {
  if (!asks || reads || judged.gate !== 'allow') return judged
  return {
    gate: 'ask',
    reason: 'human_in_the_loop: a person must approve each write call',
    rule: 'AAIF-4.9-10',
  }
}
