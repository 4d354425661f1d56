import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program } from '../../src/plan/plan.ts'
import { RunStore } from '../../src/run/record/run-store.ts'
import type { Subject } from './subject.ts'
import { waybillSubject } from './waybill.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
const store = new RunStore(folder)
let last: { readonly runId: string; readonly events: number } | undefined
process.on('exit', () => {
  const written = last === undefined ? 0 : store.events(last.runId).length
  rmSync(folder, { recursive: true, force: true })
  if (written < (last?.events ?? 1)) throw new Error(`only ${written} events were recorded`)
})

export function open(program: Program, runId: string) {
  const { plan } = program
  const run = store.create(
    {
      v: 1,
      run_id: runId,
      agent_id: plan.agent_id,
      agent_name: plan.agent_name,
      created_at: '2026-01-01T00:00:00Z',
      plan_hash: program.hash,
      rehearsal: false,
    },
    plan,
  )
  return {
    sink: run.sink,
    close: (events: number) => {
      run.close()
      // Reading all back is no part of a run; the last one's record stands for them.
      last = { runId, events }
    },
  }
}

/** The run store on disk, with a tool that only reads. The folder of each run is in the figure. */
export const subject: Subject = waybillSubject({ name: 'Waybill on disk', readOnly: true, open })
