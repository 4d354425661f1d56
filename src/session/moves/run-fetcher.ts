import { setTimeout as sleep } from 'node:timers/promises'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Arrival, StoredArrival } from '../../run/record/move-records.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { arrivalAfter } from '../../state/migration-protocol.ts'
import { issueArrivalStatement } from '../../trust/arrival-statement.ts'
import { keyIdOf } from '../../trust/ed25519.ts'
import { homePlace } from '../../trust/home-place.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'
import type { RestoredParts } from '../agent-sessions.ts'
import type { HomeMoves } from './home-moves.ts'
import { verifyArrival } from './verify-arrival.ts'

/** The platform that a run is fetched from. */
export interface RunGiver {
  /** Its organisation, as the URI of its place. */
  readonly place: string
  readonly url: string
  /** Begins a move of the run to this home, or returns the one that is under way. @returns the id of its token */
  begin(runId: string): Promise<string>
  /** @throws MOVE_NOT_READY, MOVE_WITHDRAWN */
  fetch(jti: string): Promise<JsonObject>
  /** @returns what the platform has decided because of it */
  report(jti: string, statement: string): Promise<'moved' | 'refused' | 'pending' | 'owned_here'>
}

export interface RunFetcherParts {
  readonly moves: HomeMoves
  readonly giver: RunGiver
  /** The keys that are pinned for the platform. */
  readonly keys: readonly TrustedKey[]
  /** Who moves the run. */
  readonly by: string
  /** Plans the run that continues the state. May throw because of what would be lost. */
  readonly plan: (document: AgentState) => Promise<RestoredParts>
}

/** How long a run of the platform may take to pause, and how often it is asked, in milliseconds. */
const PAUSE_MS = 120_000
const LOOK_MS = 200

/**
 * Fetches a run of a platform to a home without a server. The row of this home for the token decides who owns the run; it
 * is written by the import, in the transaction that stores the run, or when the state is refused. The platform follows the
 * signed report of it, which the same command repeats until it is confirmed.
 */
export class RunFetcher {
  readonly #parts: RunFetcherParts

  constructor(parts: RunFetcherParts) {
    this.#parts = parts
  }

  /**
   * Returns the decision of this home about the run, if there is one, and reports it if the platform does not know it.
   */
  async known(runId: string): Promise<StoredArrival | undefined> {
    const { moves, giver } = this.#parts
    const arrival = await moves.records.arrivalOf(giver.url, runId)
    if (arrival !== undefined && !arrival.reported) await this.#report(arrival)
    return arrival?.state === 'owned' ? arrival : undefined
  }

  /**
   * Fetches the state of a run, verifies it and stores the run.
   * @throws errors of the state and its token, and of planning: then the platform keeps the run. If the platform cannot be
   * reached, nothing is decided, and the same command continues.
   */
  async fetch(runId: string): Promise<StoredArrival> {
    const { moves, giver } = this.#parts
    const jti = await giver.begin(runId)
    const before = await moves.records.arrival(jti)
    if (before !== undefined) return this.#decided(before)
    const about = { jti, source: giver.place, source_run_id: runId, url: giver.url }
    let given: JsonObject
    try {
      given = await this.#state(jti)
    } catch (error) {
      if (error instanceof WaybillError && error.code === 'MOVE_WITHDRAWN')
        await this.#refuse(about, error.code)
      throw error
    }
    try {
      return await this.#decided(await this.#import(given, about))
    } catch (error) {
      // Nothing is refused because of a home that cannot be written: it may be repeated.
      if (error instanceof NotImported) {
        await this.#refuse(about, error.reason)
        throw error.cause
      }
      throw error
    }
  }

  async #state(jti: string): Promise<JsonObject> {
    for (const until = performance.now() + PAUSE_MS; ; await sleep(LOOK_MS)) {
      try {
        return await this.#parts.giver.fetch(jti)
      } catch (error) {
        const isEarly = error instanceof WaybillError && error.code === 'MOVE_NOT_READY'
        if (!isEarly || performance.now() > until) throw error
      }
    }
  }

  async #import(
    given: JsonObject,
    about: Pick<Arrival, 'jti' | 'source' | 'source_run_id' | 'url'>,
  ): Promise<StoredArrival> {
    const { moves, by } = this.#parts
    const { jti, source, source_run_id } = about
    const { document, parts } = await this.#checked(given, about)
    const { state_id } = document
    const checksum = document.provenance?.checksum ?? ''
    const arrival = { ...about, state: 'owned', run_id: parts.run_id, state_id, checksum } as const
    const received = {
      at: new Date().toISOString(),
      kind: 'run.received',
      by,
      run_id: parts.run_id,
      from: source,
      source_run_id,
      jti,
      state_id,
      checksum,
    }
    await parts.storeMemory()
    return moves.records.receive(arrival, parts.records.runs, [...parts.records.audit, received])
  }

  /** @throws NotImported */
  async #checked(
    given: JsonObject,
    { jti, source, source_run_id: runId }: Pick<Arrival, 'jti' | 'source' | 'source_run_id'>,
  ): Promise<{ readonly document: AgentState; readonly parts: RestoredParts }> {
    const { moves, keys, plan } = this.#parts
    try {
      const nowSeconds = Math.floor(Date.now() / 1000)
      const expected = { jti, runId, source, places: moves.places(), keys, nowSeconds }
      const { document } = await verifyArrival(given, expected)
      return { document, parts: await plan(document) }
    } catch (error) {
      throw new NotImported(error)
    }
  }

  async #refuse(
    about: Pick<Arrival, 'jti' | 'source' | 'source_run_id' | 'url'>,
    code: string,
  ): Promise<void> {
    const { moves, by } = this.#parts
    const { jti, source: from, source_run_id } = about
    const fact = {
      at: new Date().toISOString(),
      kind: 'migration.withdrawn',
      by,
      jti,
      from,
      source_run_id,
      code,
    }
    const refused = {
      ...about,
      state: arrivalAfter(null, 'withdraw') ?? 'refused',
      run_id: null,
      state_id: null,
      checksum: null,
    }
    await this.#report(await moves.records.refuse(refused, [fact]))
  }

  /** @throws STATE_TOKEN_USED if this home has refused the state before */
  async #decided(arrival: StoredArrival): Promise<StoredArrival> {
    await this.#report(arrival)
    if (arrival.state === 'owned') return arrival
    throw new WaybillError('STATE_TOKEN_USED', {
      fault: 'refused',
      message: `this machine has refused the state of run ${arrival.source_run_id} before, and the platform keeps the run`,
      hint: 'move it again, with a new token',
      rule: 'AAIF-12-10',
    })
  }

  async #report({ jti, state, run_id, source }: StoredArrival): Promise<void> {
    const { moves, giver } = this.#parts
    const key = moves.signingKey()
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iat, jti, iss: homePlace(keyIdOf(key)), aud: source, state, run_id }
    const answer = await giver.report(jti, await issueArrivalStatement(claims, key))
    if (state === 'owned' && answer === 'refused') throw contradicted(run_id ?? '', giver.url)
    if (answer === (state === 'owned' ? 'moved' : 'refused')) await moves.records.reported(jti)
  }
}

/** A platform that was restored from a backup, for example, knows nothing of the move. */
function contradicted(runId: string, url: string): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `run ${runId} is on this machine, and ${url} says that it has kept the run`,
    hint: 'cancel one of the two runs: that of the platform, or `waybill runs rm` here',
  })
}

/** A state that this home does not take, and why. */
class NotImported extends Error {
  constructor(cause: unknown) {
    super('the state was not imported', { cause })
  }

  get reason(): string {
    return this.cause instanceof WaybillError ? this.cause.code : 'STATE_NOT_RESUMABLE'
  }
}
