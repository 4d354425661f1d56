import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { Plan, PlannedTool } from '../../plan/plan.ts'
import { type CallRule, parseCallRule } from '../../policy/approval/call-rule.ts'
import { judgeUrl, parseHostGrant } from '../../policy/endpoint-gate.ts'
import type { SecretGrant } from '../../policy/secret-grant.ts'
import { RunStore } from '../../run/record/run-store.ts'
import { giveGrant } from '../../settings/change-grants.ts'
import { type Grant, newGrantId, parseSecretGrant } from '../../settings/grants-file.ts'
import { runsFolder } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { type RunOptions, wantsJson } from '../run-options.ts'
import { setUpRun } from '../run-setup.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { grantOfRule, toolsOfRule } from './check-rule.ts'
import { grantObject, scopeText } from './grant-text.ts'
import { previewRule, previewText } from './preview-rule.ts'
import { untilOf } from './until.ts'

export interface GiveOptions extends RunOptions {
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

/** A standing rule lasts an hour unless somebody says otherwise. */
export const RULE_LASTS = '1h'

/** `waybill grants allow`: shows what it would mean, and gives it. */
export async function allow(kind: Grant['kind'], what: string, options: GiveOptions, io: Io): Promise<void> {
  const now = new Date()
  const common = {
    id: newGrantId(),
    kind,
    ...limitsOf(kind, options, now),
    by: options.by ?? personName(io.env),
    at: now.toISOString(),
    ...(options.why !== undefined && { why: options.why }),
  }
  if (kind === 'call') return giveRule(parseCallRule(what), common, options, io)
  if (kind === 'host') assertOpens(what)
  else if (kind === 'secret') assertNoPattern(parseSecretGrant(what))
  const [plan] = options.agent === undefined ? [] : await plansOf(options.agent, options, io)
  const grant: Grant = {
    ...common,
    what,
    ...(plan !== undefined && { agent_id: plan.agent_id, agent_name: plan.agent_name }),
  }
  if (options.preview !== true) giveGrant(io.env, grant)
  say(grant, options, io)
}

const CLOSED_ADDRESSES: ReadonlySet<string> = new Set([
  'ENDPOINT_ADDRESS_PRIVATE',
  'ENDPOINT_ADDRESS_SPECIAL',
])

/** @throws HOST_GRANT_INVALID also where the grant would open nothing: such addresses are never remembered */
function assertOpens(what: string): void {
  const verdict = judgeUrl(`https://${what}/`, { hosts: [parseHostGrant(what, 'remembered')] })
  if (verdict.allowed || !CLOSED_ADDRESSES.has(verdict.code)) return
  const { reason, hint, rule } = verdict
  throw new WaybillError('HOST_GRANT_INVALID', {
    fault: 'usage',
    message: `${reason}, which no grant opens beforehand`,
    hint: `${hint}, with each run`,
    rule,
  })
}

/** @throws SECRET_GRANT_INVALID: a host with a star fits none */
function assertNoPattern({ name, host }: SecretGrant): void {
  if (!host.includes('*')) return
  throw new WaybillError('SECRET_GRANT_INVALID', {
    fault: 'usage',
    message: `a secret is for one host, and ${host} is none`,
    hint: `name each host that is meant, such as ${name}@api.crm.example`,
  })
}

async function giveRule(
  rule: CallRule,
  common: Omit<Grant, 'what'>,
  options: GiveOptions,
  io: Io,
): Promise<void> {
  if (options.agent === undefined) {
    throw new WaybillError('USAGE', {
      fault: 'usage',
      message: 'a rule for calls is for one agent',
      hint: 'name its definition, or its agent_id, with --agent',
    })
  }
  const [{ plan, tool }, ...others] = toolsOfRule(rule, await plansOf(options.agent, options, io))
  if (others.length > 0) {
    const owners = [plan, ...others.map((other) => other.plan)].map(({ agent_name }) => agent_name)
    throw new WaybillError('CALL_RULE_AMBIGUOUS', {
      fault: 'usage',
      message: `several agents have a tool ${rule.tool}: ${owners.join(', ')}`,
      hint: 'name the definition of the one that is meant with --agent',
    })
  }
  const { definition_hash, ...anyVersion } = grantOfRule(rule, { plan, tool })
  const grant: Grant = {
    ...common,
    ...anyVersion,
    ...(options.anyVersion !== true && { definition_hash }),
  }
  const preview = previewRule(rule, plan.agent_id, new RunStore(runsFolder(io.env)))
  if (options.preview !== true) giveGrant(io.env, grant)
  if (!wantsJson(options)) io.err(previewText(rule, preview, painter(io.color)))
  say(grant, options, io, { preview, ...(tool.gate !== 'ask' && { note: notAsked(tool) }) })
}

function notAsked({ gate, reason }: PlannedTool): string {
  return gate === 'deny'
    ? `as planned here the tool is denied, which a rule does not change: ${reason ?? 'not granted'}`
    : 'this tool is not asked about as the plan stands, save where something speaks of an injected instruction'
}

function limitsOf(kind: Grant['kind'], options: GiveOptions, now: Date): Pick<Grant, 'until' | 'uses_left'> {
  if (options.for !== undefined && options.until !== undefined) {
    throw new WaybillError('USAGE', { fault: 'usage', message: 'give --for or --until', hint: 'not both' })
  }
  if (options.uses !== undefined && kind !== 'call') {
    throw new WaybillError('USAGE', {
      fault: 'usage',
      message: `the uses of a ${kind} are not counted`,
      hint: 'limit it in time with --for',
    })
  }
  const until = untilOf(options.until ?? options.for ?? (kind === 'call' ? RULE_LASTS : undefined), now)
  return {
    ...(until !== undefined && { until }),
    ...(options.uses !== undefined && { uses_left: options.uses }),
  }
}

/** The plans of a definition's file and its family, or those that the newest run of an agent_id had. */
async function plansOf(agent: string, options: GiveOptions, io: Io): Promise<readonly Plan[]> {
  if (existsSync(resolve(io.cwd, agent))) return (await setUpRun(agent, options, io)).family
  const store = new RunStore(runsFolder(io.env))
  for (const id of store.list()) {
    try {
      const { plan, family, header } = store.read(id)
      if (header.agent_id === agent && !header.rehearsal) return [plan, ...family]
    } catch {
      // A record that cannot be read says nothing of the others.
    }
  }
  throw new WaybillError('AGENT_NOT_FOUND', {
    fault: 'usage',
    message: `${agent} is neither a file nor the agent_id of a run on record`,
    hint: 'name the definition of the agent',
  })
}

function say(
  grant: Grant,
  options: GiveOptions,
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
      ? `${paint('good', '✓')} ${grant.id}: ${plainLine(grant.what, 200)}, ${scopeText(grant, new Date())}\n  ${paint('accent', 'take it back with')} waybill grants revoke ${grant.id}\n`
      : `  nothing was given; without --preview: ${plainLine(grant.what, 200)}, ${scopeText(grant, new Date())}\n`,
  )
}
