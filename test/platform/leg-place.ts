import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveCommand } from '../../src/platform/engine/commands.ts'
import { FairTurns } from '../../src/platform/engine/fair-turns.ts'
import { WorkerLease } from '../../src/platform/engine/lease.ts'
import { type LegHost, performLeg } from '../../src/platform/engine/leg.ts'
import { LiveRuns } from '../../src/platform/engine/live-runs.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import { testDatabase } from './postgres.ts'
import { addWorker, asWorker } from './records/organisation.ts'
import { scriptedModel, scriptedRun } from './scripted-agent.ts'
import { keysBeside, scriptedDriving } from './scripted-sessions.ts'

/** A database with an organisation, whose legs are performed one by one, without a queue. */
export async function legPlace(t: TestContext) {
  const { database } = await testDatabase(t)
  const { engine } = database
  const folder = mkdtempSync(join(tmpdir(), 'waybill-outages-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, 'log')
  await engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
  const records = openPostgresRecords(database, 'a', { worker: null, signAudit: keysBeside(log).signAudit })
  const queued = (run_id: string, agent = {}) =>
    records.runs.enqueue(scriptedRun(run_id, { pays: 1, name: run_id }, agent), {})
  const worker = async () => {
    const name = await addWorker(database)
    return { name, runs: asWorker(t, database, 'a', name).runs }
  }
  /** Performs the queued leg of a run as a worker does, with a model of the test. */
  const legOf = async (run_id: string, more: Partial<LegHost> & { readonly model?: ModelPort } = {}) => {
    const { leg: n } = await records.runs.listed(run_id)
    const driving = scriptedDriving(database, { log, model: more.model ?? scriptedModel() })
    const live = new LiveRuns(engine, 20)
    const lease = new WorkerLease(engine, { leaseMs: 60_000, queues: [], onLapsed: () => {} })
    await lease.start()
    const opened: ReturnType<typeof driving.recordsOf>[] = []
    const recordsOf: LegHost['recordsOf'] = (org, identity) => {
      const made = opened[0] ?? (more.recordsOf ?? driving.recordsOf)(org, identity)
      opened[0] = made
      return made
    }
    const host: LegHost = {
      ...driving,
      database,
      lease,
      live,
      openings: new FairTurns(1),
      stopping: new AbortController().signal,
      log: () => {},
      ...more,
      recordsOf,
    }
    try {
      await performLeg(host, { org: 'a', run_id, n })
    } finally {
      live.stop()
      for (const one of opened) await one.close()
      await lease.stop()
    }
  }
  const command = (run_id: string, type: 'pause' | 'resume' | 'cancel') =>
    giveCommand(engine, 'a', run_id, { type }, 'ann')
  return {
    database,
    engine,
    records,
    queued,
    worker,
    legOf,
    command,
    driving: scriptedDriving(database, { log }),
  }
}

/** A model that reports its first question and waits until it is released. */
export function heldModel() {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const script = scriptedModel()
  const model: ModelPort = {
    async ask(request, options) {
      asked.resolve()
      await released.promise
      return script.ask(request, options)
    },
  }
  return { model, asked: asked.promise, release: () => released.resolve() }
}

/** Waits until a condition is true. @param withinMs milliseconds */
export async function until(isTrue: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, 'it does not happen')
    await sleep(20)
  }
}
