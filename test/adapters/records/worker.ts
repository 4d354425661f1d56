import { generateKeyPairSync } from 'node:crypto'
import {
  openSqliteRecords,
  type SqliteRecords,
} from '../../../src/adapters/records/sqlite/open-sqlite-records.ts'
import type { Driven } from '../../../src/testing/contracts/records-fixture.ts'
import {
  decided,
  drive,
  newRun,
  QUESTION,
  slot,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'

/** A test process: `worker.ts HOME`, controlled over IPC. */
export type Order =
  | { readonly do: 'open' | 'create' | 'tick'; readonly run: string; readonly at?: number }
  | { readonly do: 'decide'; readonly run: string; readonly by: string; readonly at?: number }
  | { readonly do: 'slot'; readonly run: string }
  | { readonly do: 'list' }
  | { readonly do: 'load'; readonly runs: number }
  | { readonly do: 'close' }

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string }
  /** While under load: this event of this run is committed. */
  | { readonly acknowledged: readonly [run: string, seq: number] }

const [home = ''] = process.argv.slice(2)
const { privateKey } = generateKeyPairSync('ed25519')
const records = openSqliteRecords(home, { signAudit: () => privateKey })
const driven = new Map<string, Driven>()

function say(answer: Answer): void {
  process.send?.(answer)
}

async function obey(order: Order, { runs, slots }: SqliteRecords): Promise<unknown> {
  if ('at' in order && order.at !== undefined) while (Date.now() < order.at) await new Promise(setImmediate)
  switch (order.do) {
    case 'create':
      driven.set(order.run, await drive(records, newRun(order.run)))
      return undefined
    case 'open':
      driven.set(order.run, await drive(records, order.run))
      return driven.get(order.run)?.run.epoch
    case 'tick': {
      const run = driven.get(order.run)
      await run?.tick(1, { durable: true })
      return run?.state.seq
    }
    case 'decide':
      return runs.decide(order.run, QUESTION, decided(order.by, 99))
    case 'slot':
      await slots.take(slot('agent', order.run))
      return undefined
    case 'list':
      return (await runs.list()).items.length
    case 'load':
      await Promise.all(Array.from({ length: order.runs }, (_, n) => load(`load-${process.pid}-${n}`)))
      return undefined
    case 'close':
      await records.close()
      return undefined
  }
}

/** Appends until it is killed. */
async function load(id: string): Promise<void> {
  const run = await drive(records, newRun(id))
  await run.append(started(id))
  for (;;) {
    await run.tick(1, { durable: run.state.seq % 3 === 0 })
    say({ acknowledged: [id, run.state.seq] })
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
  }
}

process.on('message', async (order: Order) => {
  try {
    say({ ok: true, value: await obey(order, records) })
  } catch (error) {
    const { code = 'NO_CODE', message } = error as { code?: string; message: string }
    say({ ok: false, code, message })
  }
})
process.on('disconnect', () => process.exit())
