import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256OfCanonical } from '../../document/canonical.ts'
import { type Json, WaybillError } from '../../document/issue.ts'
import type { Plan } from '../../plan/plan.ts'
import { apply } from '../apply.ts'
import type { RunEvent } from '../event.ts'
import type { AgentRecords, EventSink } from '../record-port.ts'
import { initialState, type RunState } from '../state.ts'
import { decodeEvent, encodeEvent } from './event-line.ts'
import type { LeftDecision } from './left-decision.ts'
import { holderOf, isAlive, lockPath, takeLock, unlinkQuietly, writeHolder } from './process-lock.ts'
import { type RunHeader, runHeader } from './run-header.ts'
import { SharedSync, syncPath } from './shared-sync.ts'

const datasync = promisify(fdatasync)

interface RunFile {
  readonly header: RunHeader
  /** Absent of a sub-agent's run: it is in its root's family. */
  readonly plan?: Plan
  /** Plans of the agents that may take part. */
  readonly family?: readonly Plan[]
}

export interface StoredRun {
  readonly header: RunHeader
  readonly plan: Plan
  /** Plans of the agents that may take part; empty for one that works alone. */
  readonly family: readonly Plan[]
  readonly state: RunState
}

/** A run that this process alone may append to, until it is closed. */
export interface OpenRun extends StoredRun {
  readonly sink: EventSink
  close(): void
}

/**
 * Runs on disk: one folder each, `run.json` (header and plan) written once and `events.ndjson` only appended to.
 * State is never stored: it is the fold of the events, so storage grows with what happened and with nothing else.
 */
export class RunStore {
  readonly #folder: string
  /** Locks of the runs that this store has made and not closed. */
  readonly #held = new Set<string>()
  readonly #runs: SharedSync

  /** @param folder the folder of all runs; made (0700) when the first run is */
  constructor(folder: string) {
    this.#folder = folder
    this.#runs = new SharedSync(folder)
  }

  create(header: RunHeader, plan: Plan, family: readonly Plan[] = []): OpenRun {
    const folder = join(this.#folder, header.run_id)
    const nursery = join(this.#folder, '.new')
    mkdirSync(nursery, { recursive: true, mode: 0o700 })
    clearNursery(nursery)
    const beside = join(nursery, `${header.run_id}.${process.pid}`)
    mkdirSync(beside, { mode: 0o700 })
    writeOnce(join(beside, 'run.json'), JSON.stringify(fileOf(header, plan, family)))
    // Nobody else knows the folder yet, so the first lock needs no contest.
    writeHolder(lockPath(beside, 'lock', 1), this.#held)
    const fd = openSync(join(beside, 'events.ndjson'), 'ax', 0o600)
    // It appears whole: a resumed parent must find a sub-agent's run, or none, and never half of one.
    renameSync(beside, folder)
    const lock = lockPath(folder, 'lock', 1)
    this.#held.add(lock)
    const release = () => {
      this.#held.delete(lock)
      unlinkQuietly(lock)
    }
    const state = initialState(header.run_id, header.agent_id, header.plan_hash)
    return { header, plan, family, state, ...writer(folder, fd, this.#runs, release) }
  }

  /**
   * Opens a run to continue it. A line that a crash cut short is dropped: its fact was never acted upon.
   * @throws RUN_NOT_FOUND, RUN_LOCKED when a live process drives it, RUN_DAMAGED
   */
  open(runId: string): OpenRun {
    const folder = this.#path(runId)
    const release = lock(folder, runId)
    try {
      const stored = this.#load(runId)
      const fd = openSync(join(folder, 'events.ndjson'), 'r+', 0o600)
      ftruncateSync(fd, stored.intactBytes)
      closeSync(fd)
      const append = openSync(join(folder, 'events.ndjson'), 'a', 0o600)
      const { header, plan, family, state } = stored
      return { header, plan, family, state, ...writer(folder, append, this.#runs, release) }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Reads a run without touching it; it may be running elsewhere. */
  read(runId: string): StoredRun {
    return this.#load(runId)
  }

  events(runId: string): readonly RunEvent[] {
    return readEvents(join(this.#path(runId), 'events.ndjson'), runId).events
  }

  /** Whether there is a record of this run. */
  has(runId: string): boolean {
    return existsSync(join(this.#folder, runId, 'run.json'))
  }

  /** Whether a live process is driving the run now. */
  isLive(runId: string): boolean {
    return holderOf(this.#path(runId), 'lock') !== null
  }

  /** Ids of all runs, newest first (ids are UUIDv7, which sort by time). */
  list(): readonly string[] {
    if (!existsSync(this.#folder)) return []
    return readdirSync(this.#folder)
      .filter((name) => existsSync(join(this.#folder, name, 'run.json')))
      .sort()
      .reverse()
  }

  /** Ids of the runs that a person started, and of those whose root is gone, newest first. */
  roots(): readonly string[] {
    return this.list().filter((id) => {
      const root = this.#headerOf(id)?.parent?.root_run_id
      return root === undefined || !existsSync(join(this.#folder, root, 'run.json'))
    })
  }

  /**
   * Id of the run that a person started, which this one belongs to; its own when it is that one.
   * @throws RUN_NOT_FOUND, RUN_DAMAGED when that run is gone
   */
  rootOf(runId: string): string {
    this.#path(runId)
    const root = this.#headerOf(runId)?.parent?.root_run_id ?? runId
    if (this.has(root)) return root
    throw new WaybillError('RUN_DAMAGED', {
      fault: 'failed',
      message: `run ${runId} is that of a sub-agent, and the run that started it is gone: ${root}`,
      hint: 'without that it cannot go on: restore it from a backup, or remove this one',
    })
  }

  /** Null when it cannot be read: one damaged record must not hide the others. */
  #headerOf(runId: string): RunHeader | null {
    try {
      return (JSON.parse(readFileSync(join(this.#folder, runId, 'run.json'), 'utf8')) as RunFile).header
    } catch {
      return null
    }
  }

  /**
   * Leaves a person's decision for the run. It becomes part of the record when the run is next driven, because a
   * call that was recorded as approved but did not leave could not be told from one that did.
   */
  leaveDecision(runId: string, decision: LeftDecision): void {
    appendFileSync(join(this.#path(runId), 'decisions.ndjson'), `${JSON.stringify(decision)}\n`, {
      mode: 0o600,
    })
  }

  /**
   * The decisions left for the run, oldest first; those of calls that no longer ask mean nothing, and neither does a
   * line that is none: the call then waits.
   */
  decisions(runId: string): readonly LeftDecision[] {
    const path = join(this.#path(runId), 'decisions.ndjson')
    if (!existsSync(path)) return []
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    return lines.flatMap(readDecision)
  }

  /**
   * Removes a run and those of its sub-agents, which cannot be read without it.
   * @throws RUN_LOCKED while a live process drives it
   */
  remove(runId: string): void {
    const folder = this.#path(runId)
    lock(folder, runId)
    // Last of all: what a crash leaves behind can then still be found and removed.
    for (const id of this.list()) {
      if (this.#headerOf(id)?.parent?.root_run_id === runId)
        rmSync(join(this.#folder, id), { recursive: true })
    }
    rmSync(folder, { recursive: true })
  }

  /** The whole id for a unique beginning of it. */
  resolve(prefix: string): string {
    const all = this.list()
    if (all.includes(prefix)) return prefix
    const found = all.filter((id) => id.startsWith(prefix))
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    throw new WaybillError(found.length === 0 ? 'RUN_NOT_FOUND' : 'RUN_AMBIGUOUS', {
      fault: 'usage',
      message:
        found.length === 0
          ? `there is no run ${prefix}`
          : `${found.length} runs begin with ${prefix}: ${found.slice(0, 5).join(', ')}`,
      hint: '`waybill runs list` shows all runs',
    })
  }

  #path(runId: string): string {
    const folder = join(this.#folder, runId)
    if (!/^[\w-]+$/.test(runId) || !existsSync(join(folder, 'run.json'))) {
      throw new WaybillError('RUN_NOT_FOUND', {
        fault: 'usage',
        message: `there is no run ${runId}`,
        hint: '`waybill runs list` shows all runs',
      })
    }
    return folder
  }

  #load(runId: string): StoredRun & { readonly intactBytes: number } {
    const folder = this.#path(runId)
    const { header, plan, family } = this.#plans(runId)
    const { events, intactBytes } = readEvents(join(folder, 'events.ndjson'), runId)
    let state = initialState(header.run_id, header.agent_id, header.plan_hash)
    for (const event of events) state = apply(state, event)
    return { header, plan, family, state, intactBytes }
  }

  #plans(runId: string): Pick<StoredRun, 'header' | 'plan' | 'family'> {
    const file = JSON.parse(readFileSync(join(this.#path(runId), 'run.json'), 'utf8')) as RunFile
    const { header } = file
    if (file.plan !== undefined) return { header, plan: file.plan, family: file.family ?? [] }
    const root = header.parent === undefined ? undefined : this.#plans(header.parent.root_run_id)
    const plan = [...(root?.family ?? []), ...(root === undefined ? [] : [root.plan])].find(
      (member) => sha256OfCanonical(member as unknown as Json) === header.plan_hash,
    )
    if (root === undefined || plan === undefined) {
      throw new WaybillError('RUN_DAMAGED', {
        fault: 'failed',
        message: `the plan of run ${runId} is missing`,
        hint: 'it is kept with the run that started it; restore that from a backup, or remove this run',
      })
    }
    return { header, plan, family: [...root.family, root.plan] }
  }

  /** The records of the sub-agents of a run, beside its own. */
  agentRecords(root: RunHeader): AgentRecords {
    return {
      open: (agent, call, parent, program) => {
        if (existsSync(join(this.#folder, agent.run_id, 'run.json'))) return this.open(agent.run_id)
        const header = runHeader(program, agent.run_id, {
          user: root.user,
          session: root.session,
          parent: { run_id: parent.run_id, root_run_id: root.run_id, call_id: call.id, alias: agent.alias },
        })
        return this.create(header, program.plan)
      },
    }
  }
}

function readDecision(line: string): readonly LeftDecision[] {
  try {
    const decision = JSON.parse(line) as LeftDecision | null
    return decision?.type === 'person.decided' ? [decision] : []
  } catch {
    return []
  }
}

/** A sub-agent's plan is kept once, with the run that a person started, however often it is called. */
function fileOf(header: RunHeader, plan: Plan, family: readonly Plan[]): RunFile {
  if (header.parent !== undefined) return { header }
  return { header, plan, ...(family.length > 0 && { family }) }
}

/** What processes left behind that died while they made a run. */
function clearNursery(nursery: string): void {
  for (const name of readdirSync(nursery)) {
    const pid = Number(name.split('.').at(-1))
    if (pid === process.pid || isAlive({ pid, started: null })) continue
    rmSync(join(nursery, name), { recursive: true, force: true })
  }
}

/** @param runs the folder of all runs, which names this one's */
function writer(
  folder: string,
  fd: number,
  runs: SharedSync,
  release: () => void,
): Pick<OpenRun, 'sink' | 'close'> {
  let closed = false
  let names: Promise<unknown> | undefined
  return {
    sink: {
      append(events, durable) {
        let lines = ''
        for (const event of events) lines += `${encodeEvent(event)}\n`
        // One write: the file then ends between lines, save for a crash inside the kernel.
        writeWhole(fd, lines)
        if (!durable) return undefined
        // All at once: what the file system writes for one of them it need not write for the others.
        names ??= Promise.all([syncPath(join(folder, 'run.json')), syncPath(folder), runs.sync()])
        return Promise.all([datasync(fd), names]).then(() => {})
      },
    },
    close() {
      if (closed) return
      closed = true
      closeSync(fd)
      release()
    },
  }
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  let written = 0
  while (written < bytes.length) written += writeSync(fd, bytes, written)
}

function readEvents(
  file: string,
  runId: string,
): { readonly events: readonly RunEvent[]; readonly intactBytes: number } {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  const intactBytes = bytes.lastIndexOf(0x0a) + 1
  const events: RunEvent[] = []
  for (const line of bytes.toString('utf8', 0, intactBytes).split('\n')) {
    if (line === '') continue
    const expected = events.length + 1
    const event = tryDecode(line)
    if (event?.seq !== expected) {
      throw new WaybillError('RUN_DAMAGED', {
        fault: 'failed',
        file,
        line: expected,
        message: `the record of run ${runId} is damaged at event ${expected}`,
        hint: 'a record is only ever appended to; restore the file from a backup, or remove the run',
      })
    }
    events.push(event)
  }
  return { events, intactBytes }
}

function tryDecode(line: string): RunEvent | null {
  try {
    return decodeEvent(line)
  } catch {
    return null
  }
}

function writeOnce(path: string, text: string): void {
  writeFileSync(path, `${text}\n`, { mode: 0o600, flag: 'wx' })
}

/** @throws RUN_LOCKED */
function lock(folder: string, runId: string): () => void {
  const locked = takeLock(folder, 'lock')
  if (locked.taken) return locked.release
  throw new WaybillError('RUN_LOCKED', {
    fault: 'failed',
    message:
      locked.by === undefined
        ? `run ${runId} is being taken over by another process`
        : `run ${runId} is being driven by process ${locked.by.pid}`,
    hint:
      locked.by === undefined
        ? 'try again in a moment'
        : 'wait for it, or stop that process; its work is saved',
  })
}
