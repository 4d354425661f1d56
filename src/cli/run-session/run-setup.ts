import { resolve } from 'node:path'
import type { Parts } from '../../compose/parts.ts'
import { withHosts } from '../../compose/preparation.ts'
import {
  grantHosts,
  type Prepared,
  type PreparedSteps,
  prepare,
  prepareToAsk,
} from '../../compose/prepare.ts'
import { defined } from '../../document/defined.ts'
import type { Issue } from '../../document/issue.ts'
import type { HostGrant } from '../../policy/endpoint-gate.ts'
import { lockFileOf } from '../../resolve/tool-lock-file.ts'
import { auditingRefusal, type ImportAttempt } from '../../session/audit-refusal.ts'
import { assertRuleForRun } from '../../session/check-rule.ts'
import type { Home } from '../../session/home.ts'
import type { Config } from '../../settings/config-schema.ts'
import type { RememberedGrants } from '../../settings/remembered-grants.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { type Io, isInteractive } from '../io.ts'
import { personName } from '../person-name.ts'
import type { GrantedHosts } from '../run-view/ask-hosts.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { askMissingHosts } from './ask-missing-hosts.ts'
import type { OpenedCommand } from './opened-command.ts'
import { partsFromFlags } from './parts-from-flags.ts'
import { type ReadAgent, readAgent } from './read-agent.ts'
import { rememberHosts } from './remember-hosts.ts'

/** All parts that a command needs to start runs of an agent. */
export interface RunSetup extends Prepared {
  readonly definition: AgentDefinition
  /** Warnings of the validation of the definition. */
  readonly warnings: readonly Issue[]
  /** Absolute path; absent for standard input. */
  readonly file?: string
  readonly toolsFile?: string
  readonly parts: Parts
  readonly home: Home
  /** The configuration of the operator. */
  readonly config: Config
}

export interface SetUpChoices {
  /** Whether a person may be asked to allow the hosts of http tools. */
  readonly askHosts?: boolean
  /** Whether the command starts runs: new tools of servers are pinned, and a refusal is audited. */
  readonly starts?: boolean
  /** Names of secrets that the plan takes as set. */
  readonly assume?: readonly string[]
  /** Further grants to the definition, for this planning only. */
  readonly granted?: RememberedGrants
  /** Whether slow tool servers get the time that a run gives them. Default: `starts`. */
  readonly patient?: boolean
}

/**
 * Reads, validates, resolves and plans the definition of a command line.
 * @param file a path, or `-` for standard input
 */
export async function setUpRun(
  file: string,
  command: OpenedCommand,
  choices: SetUpChoices = {},
): Promise<RunSetup> {
  const { options } = command
  if (options.ask === true && options.rehearse !== true)
    throw usageError(
      '--ask is for rehearsals: a real run stops for approvals in any case',
      'add --rehearse, or leave --ask out',
    )
  const audits = choices.starts === true && options.rehearse !== true
  const attempt = { ...importAttempt(file, command), ...(!audits && { home: undefined }) }
  const agent = await auditingRefusal(
    attempt,
    () => undefined,
    () => readAgent(file, command),
  )
  return auditingRefusal(
    attempt,
    () => agent.definition,
    () => planAgent(agent, command, choices),
  )
}

/** Returns who tries to import the definition of a command line. */
export function importAttempt(
  file: string,
  { options, io, home }: Omit<OpenedCommand, 'env'>,
): ImportAttempt {
  const source = file === '-' ? undefined : resolve(io.cwd, file)
  return { home, by: personName(io.env), user: options.user, source }
}

async function planAgent(agent: ReadAgent, command: OpenedCommand, choices: SetUpChoices): Promise<RunSetup> {
  const { options, io, home } = command
  const { definition, warnings, file, config } = agent
  const given = await partsOf(agent, command, choices)
  const { prepared, parts } = await prepareAgent(agent, given, command, choices)
  for (const rule of parts.settings.allowed_calls ?? []) assertRuleForRun(rule, prepared.family)
  if (options.plan !== undefined) {
    const { assertReviewed } = await import('./assert-reviewed.ts')
    await assertReviewed(options.plan, prepared, { parts, home, folder: agent.folder, config }, io)
    if (choices.starts === true) prepared.pinTools()
  }
  const toolsFile = options.tools === undefined ? undefined : resolve(io.cwd, options.tools)
  return { ...prepared, definition, warnings, ...defined({ file, toolsFile }), parts, home, config }
}

async function partsOf(
  { schemas, ...agent }: ReadAgent,
  command: OpenedCommand,
  { starts = false, assume = [], granted, patient = starts }: SetUpChoices,
): Promise<Parts> {
  const flagged = await partsFromFlags(agent, command)
  const { settings } = granted === undefined ? flagged : withRemembered(flagged, granted)
  return {
    ...flagged,
    settings: { ...settings, schemas },
    assumed: assume,
    discovery: discoveryOf(patient, command.io),
  }
}

interface Planned {
  readonly prepared: Prepared
  /** With the hosts that a person has granted. */
  readonly parts: Parts
}

async function prepareAgent(
  { definition, folder, file, real, known }: ReadAgent,
  parts: Parts,
  { options, io, home }: OpenedCommand,
  { starts = false, askHosts = false }: SetUpChoices,
): Promise<Planned> {
  const agents = options.agents === undefined ? undefined : resolve(io.cwd, options.agents)
  const lock = file === undefined ? null : lockFileOf(file)
  const isReviewed = options.plan !== undefined
  // Tools that were not reviewed must not be pinned.
  const places = { folder, agents, lock, pin: starts && !isReviewed, file, real }
  if (!askHosts || isReviewed || !isInteractive(io))
    return { prepared: await prepare(definition, parts, places), parts }
  const { steps, hosts, remembered } = await askForHosts(await prepareToAsk(definition, parts, places), io)
  const { prepared } = steps
  // Stored last, so that the grants record the operations of the documents that could be fetched.
  await rememberHosts(remembered, prepared.program.plan, known, home, io)
  return { prepared, parts: withHosts(parts, hosts) }
}

interface Asked extends GrantedHosts {
  /** The steps with the hosts that were granted. */
  readonly steps: PreparedSteps
}

/**
 * Asks a person for the hosts that a plan needs, and plans again with those that are granted, until no host is missing
 * that the person has not been asked about: a document that can be fetched now may name further servers.
 */
async function askForHosts(prepared: PreparedSteps, io: Io): Promise<Asked> {
  const asked = new Set<string>()
  const hosts: HostGrant[] = []
  const remembered: string[] = []
  for (let steps = prepared; ; ) {
    const { grants } = steps.preparation.parts.settings
    const granted = await askMissingHosts(steps.prepared.program.plan, grants, io, asked)
    if (granted.hosts.length === 0) return { steps, hosts, remembered }
    hosts.push(...granted.hosts)
    remembered.push(...granted.remembered)
    steps = await grantHosts(steps, granted.hosts)
  }
}

function withRemembered(parts: Parts, { hosts, secrets }: RememberedGrants): Parts {
  const { settings } = withHosts(parts, hosts)
  return { ...parts, settings: { ...settings, secret_grants: [...settings.secret_grants, ...secrets] } }
}

/** How long commands that start no run wait for a tool server, in milliseconds. */
const IMPATIENT_MS = 2000

function discoveryOf(patient: boolean, io: Io): NonNullable<Parts['discovery']> {
  const named = new Set<string>()
  const onWaiting = (server: string, limitMs: number) => {
    // Several tools may belong to one server.
    if (named.has(server)) return
    named.add(server)
    io.err(`waiting for the MCP server ${plainLine(server, 80)}, up to ${limitMs / 1000} s\n`)
  }
  if (patient) return { onWaiting }
  return { discoverMs: IMPATIENT_MS, ...(io.errIsTty && { onWaiting }) }
}
