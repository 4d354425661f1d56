import type { LocalHome } from '../../compose/local-home.ts'
import type { Env } from '../../compose/parts.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { MigrationView, MoveView } from '../../platform/moves/move.ts'
import { assertNoLoss } from '../../platform/moves/preflight.ts'
import type { StoredArrival } from '../../run/record/move-records.ts'
import type { StoredRun } from '../../run/record/records.ts'
import type { RestoredParts } from '../../session/agent-sessions.ts'
import { findRun } from '../../session/find-run.ts'
import { RunFetcher, type RunGiver } from '../../session/moves/run-fetcher.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import { readWaybillMember } from '../../state/read-waybill-member.ts'
import { keyIdOf } from '../../trust/ed25519.ts'
import { homePlace } from '../../trust/home-place.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'
import { platformOf } from '../../trust/trusted-platform.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { remoteRecords } from '../remote/remote-records.ts'
import { type Continued, continuingSessions } from '../resume/continuing-sessions.ts'
import type { MigrateOptions } from './migrate-options.ts'
import { ownPeer } from './own-peer.ts'
import { type PlatformAt, platformAt } from './platform-at.ts'
import { showMove } from './show-move.ts'

interface FetchOptions extends MigrateOptions {
  readonly from: string
}

/** Moves a run of a platform to this machine. */
export async function pullRun(
  home: LocalHome,
  env: Env,
  wanted: string,
  options: FetchOptions,
  io: Io,
): Promise<ExitCode> {
  const platform = await platformAt(options.from, home, io, options.config)
  const { server, place } = platform
  const keys = keysOf(home.trust.keys(), platform)
  const runId = await findRun(remoteRecords(server), wanted)
  const giver = giverAt(platform, await ownPeer(server, home.moves), options)
  let continued: Continued | undefined
  let report: FidelityReport | undefined
  const plan = async (document: AgentState): Promise<RestoredParts> => {
    continued ??= await continuedOf(document, home, env, options, io)
    const parts = await continued.sessions.restored(document, {
      ...continued.origin,
      fork: false,
      trusted: false,
    })
    report = parts.family.report
    if (options.failOnLoss === true) assertNoLoss(report)
    return parts
  }
  const fetcher = new RunFetcher({ moves: home.moves, giver, keys, by: personName(io.env), plan })
  try {
    const known = await fetcher.known(runId)
    if (known !== undefined) return shown(home, known, undefined, options, io)
    // What would be lost, and whether the agent is known, is checked before the run is frozen.
    await plan((await server.send('GET', `/v1/runs/${runId}/state`)) as unknown as AgentState)
    if (options.dryRun === true)
      return showMove(
        { run_id: runId, state: 'would_move', owner: place, examined: true, ...defined({ report }) },
        options,
        io,
      )
    if (io.errIsTty && !wantsJson(options)) io.err(`moving run ${runId} to this machine …\n`)
    return shown(home, await fetcher.fetch(runId), report, options, io)
  } catch (error) {
    // Another command of this machine may have fetched it in the meantime.
    const fetched = isMoved(error) ? await fetcher.known(runId) : undefined
    if (fetched === undefined) throw error
    return shown(home, fetched, undefined, options, io)
  } finally {
    await continued?.sessions.close()
  }
}

function isMoved(error: unknown): boolean {
  return error instanceof WaybillError && error.code === 'RUN_MOVED'
}

function giverAt({ server, place, address }: PlatformAt, to: string, { failOnLoss }: FetchOptions): RunGiver {
  const body = { to, pull: true, ...defined({ fail_on_loss: failOnLoss }) }
  return {
    place,
    url: address.url,
    async begin(runId) {
      const move = (await server.send('POST', `/v1/runs/${runId}/migrate`, body)) as unknown as MoveView
      return move.jti ?? ''
    },
    fetch: async (jti) => (await server.send('GET', `/v1/migrations/${jti}/state`)) as JsonObject,
    async report(jti, statement) {
      const answer = await server.send('POST', `/v1/migrations/${jti}`, { statement } as Json)
      return (answer as unknown as MigrationView).state
    },
  }
}

/** @throws PEER_NOT_FOUND: without its keys, no token of the platform can be verified */
function keysOf(keys: readonly TrustedKey[], { address }: PlatformAt): readonly TrustedKey[] {
  const { origin } = new URL(address.url)
  const pinned = keys.filter((key) => platformOf(key) === origin)
  if (pinned.length > 0) return pinned
  throw new WaybillError('PEER_NOT_FOUND', {
    fault: 'usage',
    message: `the keys of ${origin} are not pinned on this machine`,
    hint: `waybill login ${origin}, or waybill keys trust NAME ${origin}`,
  })
}

/** The definition is named with `--agent`, or is that of the run of this machine which the run has come from. */
async function continuedOf(
  document: AgentState,
  home: LocalHome,
  env: Env,
  options: FetchOptions,
  io: Io,
): Promise<Continued> {
  const before = await runBefore(document, home)
  const { member } = readWaybillMember(document)
  const user = options.user ?? before?.header.user
  if (user === undefined && member?.user !== undefined) throw userUnknown(member.user)
  const session = options.session ?? member?.session
  return continuingSessions(before, { options: { ...options, ...defined({ user, session }) }, io, home, env })
}

async function runBefore({ run_id }: AgentState, home: LocalHome): Promise<StoredRun | undefined> {
  const move = run_id === undefined ? undefined : await home.moves.records.ofTarget(run_id)
  if (move === undefined || !(await home.runs.has(move.run_id))) return undefined
  return home.runs.read(move.run_id)
}

async function shown(
  home: LocalHome,
  { run_id, source_run_id, jti, state_id, checksum }: StoredArrival,
  report: FidelityReport | undefined,
  options: FetchOptions,
  io: Io,
): Promise<ExitCode> {
  const owner = homePlace(keyIdOf(home.moves.signingKey()))
  const target = run_id ?? ''
  const about = { jti, target_run_id: target, ...defined({ state_id: state_id ?? undefined, report }) }
  const move: MoveView = { run_id: source_run_id, state: 'moved', owner, ...about, checksum: checksum ?? '' }
  showMove(move, options, io)
  if (!wantsJson(options)) io.err(`  next waybill resume ${await shortRunId(home, target)}\n`)
  return EXIT.ok
}

function userUnknown(user: string): WaybillError {
  return new WaybillError('STATE_USER_UNKNOWN', {
    fault: 'refused',
    message: `the run serves the user ${JSON.stringify(user.slice(0, 200))} of the platform`,
    at: '/x-waybill/user',
    hint: 'say which user that is on this machine: --user NAME',
  })
}
