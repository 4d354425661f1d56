import type pg from 'pg'
import type { ToolModule } from '../adapters/tools/tool-module.ts'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { ownMember } from '../document/own-member.ts'
import { compileProgram } from '../plan/compile-program.ts'
import type { Budget } from '../plan/operator-settings.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { planHash } from '../plan/plan-hash.ts'
import { firstProvider, primaryProvider } from '../plan/plan-models.ts'
import { versionToRun } from '../platform/agents/agent-rows.ts'
import { contentHere, type DefinitionReader } from '../platform/agents/definition-reader.ts'
import { type OwnAgents, ownAgents } from '../platform/agents/own-agents.ts'
import type { Planner, PlanRequest } from '../platform/agents/planner.ts'
import { type StoredVersion, sourceOf, uploaderOf } from '../platform/agents/stored-version.ts'
import { type Allowance, allowanceOf } from '../platform/budgets/spending.ts'
import { storedText } from '../platform/database/stored-text.ts'
import type { Sql } from '../platform/database/tenant.ts'
import { Store } from '../platform/records/store.ts'
import { sourceIdentity } from '../resolve/definition-identity.ts'
import type { FindAgent } from '../resolve/read-members.ts'
import type { Extension } from '../run/extension.ts'
import type { ModelPort, StoredSecret } from '../run/ports.ts'
import type { Grant } from '../run/record/grant.ts'
import type { StoredRun } from '../run/record/records.ts'
import { AgentSessions, type PlannedAgent } from '../session/agent-sessions.ts'
import { auditingRefusal } from '../session/audit-refusal.ts'
import type { Home } from '../session/home.ts'
import { type CheckSignature, signatureChecker, uploadChecker } from '../settings/check-signature.ts'
import type { Config } from '../settings/config-schema.ts'
import { configOfOrganisation } from '../settings/hosts-of-organisation.ts'
import { operatorSettingsOf, tighter } from '../settings/operator-settings-of.ts'
import { readSchemaFiles } from '../settings/read-schema-files.ts'
import { rememberedGrants } from '../settings/remembered-grants.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { type Found, KeptPlans } from './kept-plans.ts'
import type { OrganisationFunctions } from './organisation-functions.ts'
import type { Env, Parts } from './parts.ts'
import { prepare } from './prepare.ts'
import { remembered } from './remembered.ts'
import { runHost } from './run-host.ts'

/** What the operator of a platform gives to all runs. Definitions add nothing to it. */
export interface PlatformOperator {
  readonly config: Config
  /** The loaded extensions of the configuration. */
  readonly extensions?: readonly Extension[]
  /** Functions for tools and hooks, which organisations may use. */
  readonly functions?: OrganisationFunctions | undefined
  /** Functions of all organisations, in this process, for example in tests. */
  readonly tools?: ToolModule
  /** Environment variables that are not secret. */
  readonly env: Env
  /** Replaces the providers, for example in tests. */
  readonly model?: ModelPort
}

export interface PlatformAgentsOptions {
  readonly operator: PlatformOperator
  /** Default: this thread. */
  readonly reader?: Pick<DefinitionReader, 'content'>
  /** Connections of the role that this process acts in. */
  readonly pool: pg.Pool
  /** Opens the home of an organisation. Called often. */
  readonly homeOf: (org: string) => Home
  /** Recorded as `by` of what no person does. */
  readonly by: string
}

/**
 * Plans the agents of organisations, and opens their recorded runs. Sessions are shared and must not be closed by the
 * caller; they may be kept only while a run is begun or opened.
 */
export interface PlatformAgents extends Planner {
  /** Returns sessions that open a run with its recorded plan. */
  sessionsOf(org: string, run: RecordedRun): Promise<AgentSessions>
  /** Closes all connections. Sessions of runs must be closed before. */
  close(): Promise<void>
}

type RecordedRun = Pick<StoredRun, 'header' | 'plan' | 'family'>

interface WantedRun extends Omit<PlanRequest, 'version' | 'agent_id'> {
  readonly version: StoredVersion
}

/** What an organisation allows its runs. A changed secret is another version: plans and connections are made again. */
interface Granted {
  readonly grants: readonly Grant[]
  readonly secrets: readonly StoredSecret[]
}

/** An agent that is ready to begin runs. */
interface ReadyAgent {
  readonly definition: AgentDefinition
  readonly program: Program
  readonly planned: Pick<PlannedAgent, 'plans' | 'definitions'>
  readonly sessions: AgentSessions
}

/** How long a plan is used: secrets and the tools of servers may change (milliseconds). */
const PLAN_AGE_MS = 60_000

/** How long standing grants are not read again, in milliseconds: a revoked grant may be used for this long. */
const GRANTS_AGE_MS = 1000

/** Plans the agents of all organisations of a platform, in one process and one role. */
export function platformAgents(options: PlatformAgentsOptions): PlatformAgents {
  const { operator, reader = { content: contentHere }, pool, homeOf, by } = options
  const { config } = operator
  const schemas = readSchemaFiles(config.schemas ?? {})
  const agentsOf = (org: string) => ownAgents(new Store(pool, org, null))
  const started = new KeptPlans<ReadyAgent>(({ sessions }) => sessions.retire())
  const recorded = new KeptPlans<AgentSessions>((sessions) => sessions.retire())
  const grantsOf = remembered(async (org: string) => {
    const grants = await homeOf(org).grants.list()
    return grants.filter(({ kind }) => kind !== 'call')
  }, GRANTS_AGE_MS)
  const grantedTo = async (org: string): Promise<Granted> => {
    const [grants, secrets = []] = await Promise.all([grantsOf(org), homeOf(org).secrets.stored?.()])
    return { grants, secrets }
  }

  const partsOf = async (
    org: string,
    more: {
      readonly rehearse: boolean
      readonly primary: string | undefined
      /** The identity of the definition that the run was started with. */
      readonly identity: string | undefined
      readonly grants: Granted
      readonly user?: string | undefined
      readonly session?: string | undefined
      readonly budget?: Budget | undefined
    },
  ): Promise<Parts> => {
    const { rehearse, primary, identity, grants, user, session, budget = {} } = more
    const home = homeOf(org)
    const settings = operatorSettingsOf(
      { rehearse, ...(user !== undefined && { user }), ...(session !== undefined && { session }) },
      configOfOrganisation(config, org),
      {},
      { primary, remembered: await rememberedGrants({ list: () => grants.grants }, identity) },
    )
    const bound = grants.secrets.flatMap(({ name, hosts }) =>
      hosts.map((host) => ({ name, host, stored: true as const })),
    )
    const { functions, extensions = [], env, model } = operator
    const tools = operator.tools ?? (await functions?.of(org))
    return {
      settings: {
        ...settings,
        schemas,
        secret_grants: [...settings.secret_grants, ...bound],
        budget: tighter(settings.budget, budget),
      },
      env,
      queues: true,
      auditsSecrets: true,
      secrets: home.secrets,
      home,
      extensions,
      ...(tools !== undefined && { tools }),
      ...(model !== undefined && { model }),
    }
  }

  const plan = async (wanted: WantedRun, grants: Granted, found: Found): Promise<ReadyAgent> => {
    const { org, version, user, session, budget, rehearse = false } = wanted
    const home = homeOf(org)
    const uploaders = new WeakMap<AgentDefinition, string>()
    const definition = await reader.content(version)
    uploaders.set(definition, uploaderOf(version))
    const source = sourceOf(version)
    await operator.functions?.assertAllowed(org, definition)
    const identity = sourceIdentity(definition, { source })
    const primary = primaryProvider(definition, undefined)
    const parts = {
      ...(await partsOf(org, { rehearse, primary, identity, grants, user, session, budget })),
      checkSignature: checkerOf(home, config, uploaders),
    }
    const findAgent = finder(agentsOf(org), reader, uploaders, found)
    const attempt = {
      home: rehearse ? undefined : home,
      by: wanted.by ?? user ?? by,
      user,
      source: `${source}@${version.version}`,
    }
    const { program, family, definitions } = await auditingRefusal(
      attempt,
      () => definition,
      () => prepare(definition, parts, { folder: undefined, source, findAgent, lock: null }),
    )
    const planned = { plans: family, definitions }
    const sessions = new AgentSessions(runHost(parts, by, home), { program, ...planned })
    return { definition, program, planned, sessions }
  }

  /** The recorded plan is used, with the standing grants that apply to the definition that it was made from. */
  const open = async (org: string, run: RecordedRun, grants: Granted): Promise<AgentSessions> => {
    const { header, plan: root, family } = run
    const { definitions = {} } = header
    const version = await agentsOf(org).ofDefinition(root.definition_hash)
    const identity = version === null ? undefined : ownMember(definitions, root.definition_hash)
    const primary = firstProvider(root)
    const parts = await partsOf(org, { rehearse: root.rehearsal, primary, identity, grants })
    const program = compileProgram(root, family)
    const plans = [root, ...family]
    return new AgentSessions(runHost(parts, by, homeOf(org)), { program, plans, definitions })
  }

  const ready = async (wanted: WantedRun): Promise<ReadyAgent> => {
    const { org, version, user, session, rehearse = false, budget = {} } = wanted
    const grants = await grantedTo(org)
    const shared = JSON.stringify([org, version.agent_id, version.digest, rehearse, budget, grants])
    const own = JSON.stringify([shared, user, session])
    const isCurrent = async (found: ReadonlyMap<string, string | null>) => {
      if (found.size === 0) return true
      const now = await agentsOf(org).digests([...found.keys()])
      return [...found].every(([ref, digest]) => now.get(ref) === digest)
    }
    for (const key of [shared, own]) {
      const kept = started.get(key, PLAN_AGE_MS)
      if (kept !== undefined && (await isCurrent(kept.found))) return kept.value
    }
    const found: Found = new Map()
    const planned = started.keep(own, plan(wanted, grants, found), found)
    const { program } = await planned
    if (!isPersonal([...program.family.values()].map((one) => one.plan))) started.move(own, shared)
    return planned
  }

  const toContinue = async (given: PlanRequest & { readonly definition?: string }) => {
    const { org, agent_id, version: wanted, definition, ...request } = given
    const same = definition === undefined ? null : await agentsOf(org).ofDefinition(definition)
    const version =
      same?.agent_id === storedText(agent_id) && same.status !== 'pending'
        ? same
        : await new Store(pool, org, null).read((sql) => versionToRun(sql, org, agent_id, wanted))
    const { sessions } = await ready({ ...request, org, version })
    return { sessions, version: version.version }
  }

  return {
    async newRun({ org, agent_id, version: wanted, ...request }, first, origin) {
      const { user, budget = {} } = request
      const { version, allowance } = await new Store(pool, org, null).read(async (sql) => {
        const found = await versionToRun(sql, org, agent_id, wanted)
        const payer = { org, agent_id: found.agent_id, ...defined({ user }) }
        const allowance: Allowance =
          request.rehearse === true ? { limits: {} } : await allowanceOf(sql, payer, new Date())
        return { version: found, allowance }
      })
      const planned = { ...request, org, version, budget: tighter(budget, defined({ usd: allowance.usd })) }
      const { definition, program, sessions } = await ready(planned)
      const breach = program.checkInput?.(first.input) ?? null
      if (breach !== null) throw inputInvalid(breach)
      const limits = tighter({ ...first.limits }, allowance.limits)
      const limited =
        Object.keys(limits).length === 0 ? first : { ...first, limits: { ...first.limits, ...limits } }
      const run = await sessions.newRun(limited, origin)
      const queue = definition.agent.runtime?.queue
      return { run, version: version.version, ...defined({ queue }) }
    },
    async restored(request, document, options, conversation) {
      const { sessions, version } = await toContinue(request)
      return { ...(await sessions.restored(document, options, conversation)), version }
    },
    async receiving(request, options) {
      const { sessions, version } = await toContinue(request)
      return { ...(await sessions.receiving(options)), version }
    },
    async isSubagent(org, agentId) {
      const own = agentsOf(org)
      for (const version of await own.mentioning(agentId)) {
        const { agent } = await reader.content(version)
        for (const { ref } of agent.orchestration?.subagents ?? []) {
          const found = await own.find(ref)
          if (!('reason' in found) && found.agent_id === storedText(agentId)) return true
        }
      }
      return false
    },
    async agent({ org, agent_id, version: wanted, upload, ...request }) {
      const read = (sql: Sql) => versionToRun(sql, org, agent_id, wanted)
      const version = upload ?? (await new Store(pool, org, null).read(read))
      return (await ready({ ...request, org, version })).planned
    },
    async sessionsOf(org, run) {
      const grants = await grantedTo(org)
      const { header, family } = run
      const { plan_hash, definitions = {} } = header
      const key = JSON.stringify([org, plan_hash, family.map(planHash), definitions, grants])
      const kept = recorded.get(key, Number.POSITIVE_INFINITY)
      return kept === undefined ? recorded.keep(key, open(org, run, grants)) : kept.value
    },
    async close() {
      await Promise.all([
        started.close(({ sessions }) => sessions.close()),
        recorded.close((sessions) => sessions.close()),
      ])
    },
  }
}

/** Finds sub-agents among the agents of the organisation, and notes what was found. */
function finder(
  own: OwnAgents,
  reader: Pick<DefinitionReader, 'content'>,
  uploaders: WeakMap<AgentDefinition, string>,
  found: Found,
): FindAgent {
  return async (ref) => {
    const version = await own.find(ref)
    found.set(ref, 'reason' in version ? null : version.digest)
    if ('reason' in version) return version
    const definition = await reader.content(version)
    uploaders.set(definition, uploaderOf(version))
    return { definition, source: sourceOf(version) }
  }
}

/** Checks the signature of an uploaded definition by the policy for its uploader, of another one by that for its URL. */
function checkerOf(
  { trust }: Home,
  { signatures = {} }: Config,
  uploaders: WeakMap<AgentDefinition, string>,
): CheckSignature {
  const check = signatureChecker(trust, signatures)
  return (definition, ...sources) => {
    const uploader = uploaders.get(definition)
    return uploader === undefined
      ? check(definition, ...sources)
      : uploadChecker(trust, signatures, uploader)(definition)
  }
}

/** Returns whether a plan is for one user or one session only. */
function isPersonal(plans: readonly Plan[]): boolean {
  return plans.some(({ memory }) => memory.some(({ scope }) => scope === 'user' || scope === 'session'))
}

function inputInvalid(breach: string): WaybillError {
  return new WaybillError('INPUT_INVALID', {
    message: `the input does not match io.input_schema: ${breach}`,
    at: '/input',
    hint: 'send an input that matches the schema of the definition',
    rule: 'SPEC-D-30',
  })
}
