import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { registriesOf } from '../../compose/extensions.ts'
import type { Env } from '../../compose/parts.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { ownMember } from '../../document/own-member.ts'
import { grantedUses } from '../../plan/granted-uses.ts'
import type { Plan, PlannedTool } from '../../plan/plan.ts'
import { type CallRule, parseCallRule } from '../../policy/approval/call-rule.ts'
import { judgeUrl, parseHostGrant } from '../../policy/endpoint-gate.ts'
import { parseSecretGrant, type SecretGrant } from '../../policy/secret-grant.ts'
import { eachRun } from '../../run/record/each-run.ts'
import type { Grant } from '../../run/record/grant.ts'
import type { RunHeader } from '../../run/record/run-header.ts'
import { grantOfRule, toolsOfRule } from '../../session/check-rule.ts'
import type { Home } from '../../session/home.ts'
import { previewRule } from '../../session/preview-rule.ts'
import {
  fingerprintsFor,
  giveGrant,
  newGrantId,
  type RememberedGrants,
} from '../../settings/remembered-grants.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { readGivenDefinition } from '../files/read-given-definition.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { environment, operatorOf } from '../run-session/parts-from-flags.ts'
import { setUpRun } from '../run-session/run-setup.ts'
import { previewText } from '../standing-rules/preview-text.ts'
import { untilOf } from '../standing-rules/until.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { grantObject, scopeText } from './grant-text.ts'

export interface GrantOptions extends RunOptions {
  readonly agent?: string
  readonly for?: string
  readonly until?: string
  readonly uses?: number
  readonly anyVersion?: boolean
  readonly preview?: boolean
  readonly why?: string
  readonly by?: string
  readonly format?: string
}

/** The default lifetime of a standing rule. */
export const RULE_LASTS = '1h'

/** Shows the effect of a grant, and stores the grant unless `--preview` is given (`waybill grants allow`). */
export function allow(kind: Grant['kind'], what: string, options: GrantOptions, io: Io): Promise<void> {
  return withHome(io, (home, env) => allowIn(home, env, kind, what, options, io), environment(options, io))
}

async function allowIn(
  home: Home,
  env: Env,
  kind: Grant['kind'],
  what: string,
  options: GrantOptions,
  io: Io,
): Promise<void> {
  const now = new Date()
  const common = {
    id: newGrantId(),
    kind,
    ...limitsOf(kind, options, now),
    by: options.by ?? personName(io.env),
    at: now.toISOString(),
    ...defined({ why: options.why }),
  }
  if (kind === 'call') return grantRule(home, env, parseCallRule(what), common, options, io)
  if (kind === 'host') assertOpens(what)
  else if (kind === 'secret') assertNoPattern(parseSecretGrant(what))
  const known =
    options.agent === undefined ? undefined : await knownAgent(home, env, options.agent, options, io)
  const [plan] = known?.plans ?? []
  const preview = options.preview === true
  const grant: Grant = {
    ...common,
    what,
    ...(known !== undefined &&
      plan !== undefined && {
        agent_id: plan.agent_id,
        agent_name: plan.agent_name,
        definition: identityOf(known, plan),
        tools: await usedFor(kind, what, known, preview ? undefined : options.agent, {
          options,
          io,
          home,
          env,
        }),
      }),
  }
  if (!preview) await giveGrant(home.grants, grant)
  printGrant(grant, options, io)
}

const CLOSED_ADDRESSES: ReadonlySet<string> = new Set([
  'ENDPOINT_ADDRESS_PRIVATE',
  'ENDPOINT_ADDRESS_SPECIAL',
])

/** @throws HOST_GRANT_INVALID also if the grant would have no effect: such addresses cannot have a standing grant */
function assertOpens(what: string): void {
  const verdict = judgeUrl(`https://${what}/`, { hosts: [parseHostGrant(what, 'remembered')] })
  if (verdict.allowed || !CLOSED_ADDRESSES.has(verdict.code)) return
  const { reason, hint, rule } = verdict
  throw new WaybillError('HOST_GRANT_INVALID', {
    fault: 'usage',
    message: `${reason}, and a standing grant cannot allow such an address`,
    hint: `${hint}, for each run`,
    rule,
  })
}

/** @throws SECRET_GRANT_INVALID for a host pattern, because it would match no host */
function assertNoPattern({ name, host }: SecretGrant): void {
  if (!host.includes('*')) return
  throw new WaybillError('SECRET_GRANT_INVALID', {
    fault: 'usage',
    message: `a secret is granted to exactly one host, but ${host} is a pattern`,
    hint: `create one grant per host, for example ${name}@api.crm.example`,
  })
}

async function grantRule(
  home: Home,
  env: Env,
  rule: CallRule,
  common: Omit<Grant, 'what'>,
  options: GrantOptions,
  io: Io,
): Promise<void> {
  if (options.agent === undefined) {
    throw usageError('a rule for calls needs an agent', 'give its definition or its agent_id with --agent')
  }
  const known = await knownAgent(home, env, options.agent, options, io)
  const [{ plan, tool }, ...others] = toolsOfRule(rule, known.plans)
  if (others.length > 0) {
    const owners = [plan, ...others.map((other) => other.plan)].map(({ agent_name }) => agent_name)
    throw new WaybillError('CALL_RULE_AMBIGUOUS', {
      fault: 'usage',
      message: `several agents have a tool named ${rule.tool}: ${owners.join(', ')}`,
      hint: 'select one agent: give its definition with --agent',
    })
  }
  const { definition_hash, ...anyVersion } = grantOfRule(rule, { plan, tool })
  const grant: Grant = {
    ...common,
    ...anyVersion,
    definition: identityOf(known, plan),
    ...(options.anyVersion !== true && { definition_hash }),
  }
  const preview = await previewRule(rule, plan.agent_id, home)
  if (options.preview !== true) await giveGrant(home.grants, grant)
  if (!wantsJson(options)) io.err(previewText(rule, preview, painter(io.color)))
  printGrant(grant, options, io, { preview, ...(tool.gate !== 'ask' && { note: notAsked(tool) }) })
}

function notAsked({ gate, reason }: PlannedTool): string {
  return gate === 'deny'
    ? `the plan denies this tool, and a rule cannot change that: ${reason ?? 'not granted'}`
    : 'the plan allows this tool without approval already; the rule only matters for calls that are suspected of prompt injection'
}

function limitsOf(kind: Grant['kind'], options: GrantOptions, now: Date): Pick<Grant, 'until' | 'uses_left'> {
  if (options.for !== undefined && options.until !== undefined) {
    throw usageError('--for and --until cannot be used together', 'use one of them')
  }
  if (options.uses !== undefined && kind !== 'call') {
    throw usageError(`--uses works only for calls, not for a ${kind}`, 'limit the time with --for')
  }
  const until = untilOf(options.until ?? options.for ?? (kind === 'call' ? RULE_LASTS : undefined), now)
  return defined({ until, uses_left: options.uses })
}

interface KnownAgent {
  /** The plans of the agent and its sub-agents; the agent's own plan is the first. */
  readonly plans: readonly Plan[]
  /** Identities of the definitions, by definition hash. */
  readonly definitions: Readonly<Record<string, string>>
  /** Absent if the file cannot be read any more. */
  readonly definition?: AgentDefinition
}

/** Returns the agent of a definition file, or the agent of the newest run with an agent_id. */
async function knownAgent(
  home: Home,
  env: Env,
  agent: string,
  options: GrantOptions,
  io: Io,
): Promise<KnownAgent> {
  if (existsSync(resolve(io.cwd, agent))) {
    const { family, definitions, definition } = await setUpRun(agent, { options, io, home, env })
    return { plans: family, definitions, definition }
  }
  const recorded = await newestRun(home, agent)
  if (recorded !== undefined) {
    const { plans, header } = recorded
    const { definitions, definition_file: file, flags } = header
    if (file === undefined || !existsSync(file)) return { plans, definitions }
    // Without --config, the configuration of that run applies.
    const { extensions } = await operatorOf({ ...flags, ...options }, io)
    const { definition } = await readGivenDefinition(file, io, await registriesOf(extensions))
    return { plans, definitions, definition }
  }
  throw new WaybillError('AGENT_NOT_FOUND', {
    fault: 'usage',
    message: `unknown agent "${agent}": it is not a file, and no recorded run has this agent_id`,
    hint: 'give the definition file of the agent',
  })
}

type KnownHeader = RunHeader & { readonly definitions: NonNullable<RunHeader['definitions']> }

/** The number of runs of an agent_id whose definitions are compared. */
const COMPARED = 50

/**
 * Returns the newest run with an agent_id.
 * @throws AGENT_AMBIGUOUS if definitions of different sources had runs with it: each can claim any agent_id, so the
 * newest may be that of a copy
 */
async function newestRun(
  home: Home,
  agentId: string,
): Promise<{ readonly header: KnownHeader; readonly plans: readonly Plan[] } | undefined> {
  let newest: { readonly header: KnownHeader; readonly plans: readonly Plan[] } | undefined
  const sources = new Set<string>()
  let compared = 0
  for await (const { run_id, header, imported } of eachRun(home, { agent_id: agentId }, COMPARED)) {
    // The header of an imported run was written by another home, and may name any file.
    if (header === null || imported || header.rehearsal || header.definitions === undefined) continue
    const { definitions } = header
    const { plan, family } = await home.runs.read(run_id)
    newest ??= { header: { ...header, definitions }, plans: [plan, ...family] }
    sources.add(ownMember(definitions, plan.definition_hash) ?? run_id)
    if (++compared === COMPARED) break
  }
  // Definitions from standard input are identified by their content, so each edit has another identity.
  const edited = [...sources].every((source) => source.startsWith('sha256:'))
  if (sources.size <= 1 || edited) return newest
  throw new WaybillError('AGENT_AMBIGUOUS', {
    fault: 'usage',
    message: `different definitions had runs with the agent_id ${agentId}: ${[...sources].slice(0, 3).join(', ')}`,
    hint: 'give the definition file with --agent',
  })
}

/** Returns the identity of the definition. Another definition with the same agent_id is not covered. */
function identityOf({ definitions }: KnownAgent, { definition_hash, agent_name }: Plan): string {
  const identity = ownMember(definitions, definition_hash)
  if (identity !== undefined) return identity
  throw new WaybillError('AGENT_NOT_FOUND', {
    fault: 'usage',
    message: `the source of the definition of ${agent_name} is unknown`,
    hint: 'give its definition file with --agent',
  })
}

/**
 * Returns the fingerprints of the uses that need the grant. Operations of a document, or tools of a server, at the granted
 * host are known only when the host can be reached, so the definition is planned again with the grant.
 * @param file absent: the grant is only previewed, so no further host may be reached
 * @throws GRANT_UNUSED if no use needs it
 */
async function usedFor(
  kind: 'host' | 'secret',
  what: string,
  known: KnownAgent,
  file: string | undefined,
  { options, io, home, env }: Surroundings,
): Promise<readonly string[]> {
  const usesOf = ({ plans: [plan], definition }: Pick<KnownAgent, 'plans' | 'definition'>) =>
    fingerprintsFor({ kind, what }, grantedUses(plan?.tools ?? [], definition))
  const before = usesOf(known)
  const source = file !== undefined && existsSync(resolve(io.cwd, file)) ? file : undefined
  const discovers = known.plans[0]?.tools.some(
    ({ protocol }) => protocol !== 'http' && protocol !== 'function',
  )
  const granted: RememberedGrants =
    kind === 'host'
      ? { hosts: [{ ...parseHostGrant(what, 'remembered'), bound: true }], secrets: [] }
      : { hosts: [], secrets: [{ ...parseSecretGrant(what), bound: true }] }
  const again =
    source === undefined || discovers !== true
      ? undefined
      : await setUpRun(source, { options, io, home, env }, { granted, patient: true })
  const after = again === undefined ? [] : usesOf({ plans: again.family, definition: again.definition })
  const tools = [...new Set([...before, ...after])]
  if (tools.length > 0) return tools
  throw new WaybillError('GRANT_UNUSED', {
    fault: 'usage',
    message: `no tool of the definition needs ${what}, so the grant would have no effect`,
    hint: 'create it when a tool needs it, or remove --agent to grant it to every agent',
  })
}

/** The command line and the home of a command. */
interface Surroundings {
  readonly options: GrantOptions
  readonly io: Io
  readonly home: Home
  readonly env: Env
}

function printGrant(
  grant: Grant,
  options: GrantOptions,
  io: Io,
  more: { readonly preview?: object; readonly note?: string } = {},
): void {
  const given = options.preview !== true
  if (wantsJson(options)) {
    io.out(`${jsonText({ given, grant: grantObject(grant, new Date()), ...more })}\n`)
    return
  }
  const paint = painter(io.color)
  if (more.note !== undefined) io.err(`  ${paint('warn', '!')} ${more.note}\n`)
  io.err(
    given
      ? `${paint('good', '✓')} ${grant.id}: ${plainLine(grant.what, 200)}, ${scopeText(grant, new Date())}\n  ${paint('accent', 'revoke with')} waybill grants revoke ${grant.id}\n`
      : `  preview only; without --preview the grant is: ${plainLine(grant.what, 200)}, ${scopeText(grant, new Date())}\n`,
  )
}
