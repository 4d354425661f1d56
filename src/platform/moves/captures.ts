import type { KeyObject } from 'node:crypto'
import type pg from 'pg'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { keepsValues, type MovedValue, valuesIn } from '../../run/drive/moved-values.ts'
import type { OpenPii } from '../../run/drive/open-pii.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { rootRunId } from '../../run/record/run-header.ts'
import { type Capture, captureRun } from '../../session/capture-run.ts'
import { exportReceipts, type ReceiptHost } from '../../session/receipts-of-run.ts'
import { handlesValues } from '../../session/restore-values.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { withCausers } from '../../state/moved-causers.ts'
import { withPersonalData } from '../../state/moved-personal-data.ts'
import { OUTLINE_MEMBER } from '../../state/sent-outline.ts'
import { withStateChecksum } from '../../trust/checksum.ts'
import type { SegmentTarget } from '../../trust/receipts/receipt.ts'
import { signStatement } from '../../trust/signed-statement.ts'
import { originalText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import { causersOf } from '../people/causers.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { lastMove, type MoveRow } from './move-rows.ts'
import { peerRows, placesOfPeer, sealingKeyOf } from './peer-rows.ts'
import { ownPlace } from './place.ts'
import type { RunOutline, RunOutlines } from './run-outlines.ts'

export interface CaptureParts {
  /** Connections of the role of requests. */
  readonly app: pg.Pool
  readonly recordsOf: (org: string) => PostgresRecords
  /** Opens the personal data of a recorded run. @throws PII_VALUES_UNREADABLE, PII_KEY_MISSING, PII_KEY_INVALID */
  readonly personalDataOf: (org: string, run: StoredRun) => Promise<OpenPii>
  /** Signs migration tokens and receipts, with a key that the platform publishes. @throws AUDIT_KEY_WRONG */
  readonly signingKey: () => KeyObject
  readonly publicUrl: string | undefined
  /** Of the product. */
  readonly version: string
  readonly log: (level: 'warn', message: string) => void
}

/** Above so many tokens, the other platform examines a conversation that is streamed by its outline. */
const LARGE_TOKENS = 100_000

/** Where a run is sent to, and by whom. */
type Destination = Pick<MoveRow, 'source' | 'target' | 'by'>

const NO_MESSAGES = { conversation: [], carried: [] } as const

/** A state as it is sent. */
export interface MoveCapture extends Capture {
  /** How many values of personal data are in it. */
  readonly values: number
  /** Of the conversation, if it is sent apart. */
  readonly outline: RunOutline | undefined
}

/** Captures runs of a platform: as they are sent, as they are examined before, and as files. */
export class Captures {
  readonly #parts: CaptureParts
  readonly #outlines: RunOutlines

  constructor(parts: CaptureParts, outlines: RunOutlines) {
    this.#parts = parts
    this.#outlines = outlines
  }

  /** Returns the state of a frozen run as it is sent. @returns with an outline: its conversation is sent apart */
  async ofMove(org: string, move: MoveRow): Promise<MoveCapture> {
    const runId = originalText(move.run_id)
    const key = move.personal_data ? await this.#sealingKey(org, move) : undefined
    const outline = move.method === 'stream' ? await this.#apart(org, runId, key) : undefined
    return { ...(await this.#state(org, runId, move, defined({ key }), outline)), outline }
  }

  /** Returns a run whose conversation is sent apart; undefined: its texts are needed, because they name values that are sent. */
  async #apart(org: string, runId: string, key: KeyObject | undefined): Promise<RunOutline | undefined> {
    const outline = await this.#outlines.of(org, runId)
    const { plan, family } = outline.run
    return key !== undefined && keepsValues([plan, ...family]) ? undefined : outline
  }

  /**
   * Returns a run, and its state as the other platform examines it before a move: as it is sent, or, if it is long and is
   * streamed, with an outline instead of its conversation. Of values of personal data only the names are sent.
   * @param key seals the names; absent: none are sent
   */
  async examined(
    org: string,
    runId: string,
    to: Destination & Pick<MoveRow, 'method'>,
    key: KeyObject | undefined,
  ): Promise<{ readonly run: StoredRun; state(): Promise<Capture> }> {
    const { run } = await this.#outlines.of(org, runId)
    return {
      run,
      state: async () => {
        // Names of personal data in the texts decide what is left behind.
        const isOutlined = to.method === 'stream' && !handlesValues([run.plan, ...run.family])
        const outline = isOutlined ? await this.#outlines.of(org, runId) : undefined
        const tokens = outline?.sent.tokens.reduce((sum, each) => sum + each, 0) ?? 0
        if (outline === undefined || tokens <= LARGE_TOKENS)
          return this.#state(org, runId, to, { onlyNames: true, ...defined({ key }) })
        const { document, report } = await this.#state(
          org,
          runId,
          to,
          {},
          { ...outline, messages: NO_MESSAGES },
        )
        const examined = withStateChecksum({
          ...(document as unknown as JsonObject),
          [OUTLINE_MEMBER]: outline.sent as unknown as Json,
        }) as unknown as AgentState
        return { document: examined, report }
      },
    }
  }

  /**
   * Returns the state of a run as it is sent, and how many values of personal data are in it.
   * @param personal.key seals the values; absent: none are sent
   * @param personal.onlyNames the names of the values are sealed without the values, to ask whether they could be used
   * @param outlined absent: the state with its conversation
   */
  async #state(
    org: string,
    runId: string,
    to: Destination & { readonly jti?: string },
    personal: { readonly key?: KeyObject; readonly onlyNames?: true },
    outlined?: Pick<RunOutline, 'run' | 'messages' | 'recorded'>,
  ): Promise<Capture & { readonly values: number }> {
    const { recordsOf, version } = this.#parts
    const captured = await captureRun(recordsOf(org), runId, {
      at: Date.now(),
      by: originalText(to.by),
      platform: { name: to.source, version },
      targetPlatform: to.target,
      migrating: true,
      host: {
        ...this.#host(to.source),
        to: { platform: to.target, ...defined({ jti: to.jti }) },
      },
      ...defined({ outlined }),
    })
    const { report } = captured
    const causers = await inOrganisation(this.#parts.app, org, (sql) => causersOf(sql, org, [runId]))
    const document = withCausers(captured.document, causers)
    const { key, onlyNames } = personal
    const values = key === undefined ? [] : await this.#valuesFor(org, runId, document)
    if (key === undefined || values.length === 0) return { document, report, values: 0 }
    const sent = onlyNames === true ? values.map(({ text }) => ({ text })) : values
    const { source, target } = to
    return {
      document: await withPersonalData(document, sent, key, { source, target }),
      report,
      values: values.length,
    }
  }

  async #valuesFor(org: string, runId: string, document: AgentState): Promise<readonly MovedValue[]> {
    const { recordsOf, personalDataOf, log } = this.#parts
    const { run: known } = await this.#outlines.of(org, runId)
    if (!keepsValues([known.plan, ...known.family])) return []
    const run = await recordsOf(org).runs.read(runId)
    try {
      return valuesIn(document as unknown as Json, await personalDataOf(org, run))
    } catch (error) {
      if (!(error instanceof WaybillError) || !error.code.startsWith('PII_')) throw error
      // The run cannot use them here either; the other platform reports that they are missing.
      log('warn', `run ${runId} moves without its values of personal data: ${messageOf(error)}`)
      return []
    }
  }

  /** Returns the key that values are sealed for, if an admin still allows it for the platform that the move began with. */
  async #sealingKey(org: string, move: MoveRow): Promise<KeyObject | undefined> {
    const peers = await inOrganisation(this.#parts.app, org, (sql) => peerRows(sql, org))
    const peer = peers.find(({ name }) => name === move.peer)
    if (peer === undefined || !peer.personal_data || !placesOfPeer(peer).includes(move.target))
      return undefined
    return sealingKeyOf(peer)
  }

  /** @param place of the organisation; absent: it is known by its key */
  #host(place: string | undefined): ReceiptHost {
    const key = this.#parts.signingKey()
    return { ...defined({ host: place }), sign: (statement) => signStatement(statement, key) }
  }

  /** Returns the signed receipts of a run and of its sub-agents, as NDJSON. @throws RUN_NOT_FOUND, RUN_IMPORTED */
  async receipts(org: string, runId: string): Promise<string> {
    const { app, recordsOf, publicUrl } = this.#parts
    const records = recordsOf(org)
    const root = rootRunId((await records.runs.frame(runId)).header)
    const moved = await inOrganisation(app, org, (sql) => lastMove(sql, org, root))
    const host = this.#host(publicUrl === undefined ? undefined : ownPlace(publicUrl, org))
    return exportReceipts(records, root, host, {
      at: Date.now(),
      ...(moved !== undefined && { status: 'moved' as const, to: targetOf(moved) }),
    })
  }

  /** Returns the state of a run that stays here. */
  async captured(org: string, runId: string, by: string): Promise<AgentState> {
    const { recordsOf, publicUrl, version } = this.#parts
    const name = publicUrl === undefined ? 'waybill' : ownPlace(publicUrl, org)
    const host = this.#host(publicUrl === undefined ? undefined : name)
    const options = { at: Date.now(), by, platform: { name, version }, host }
    return (await captureRun(recordsOf(org), runId, options)).document
  }
}

function targetOf({ target, jti, target_run_id }: MoveRow): SegmentTarget {
  return { platform: target, jti, ...(target_run_id !== null && { run_id: originalText(target_run_id) }) }
}
