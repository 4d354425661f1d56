/** One of the compared subjects: performs runs in this process, with checkpoints in PostgreSQL. See `startChild`. */
import type { Subject } from '../loop/subject.ts'
import { FINAL_TEXT } from '../loop/workload.ts'
import { answer, configOf } from './child.ts'
import type { SubjectConfig, SubjectCost, SubjectRuns } from './iterations.ts'

const config = configOf<SubjectConfig>()
const subject: Subject =
  config.subject === 'waybill'
    ? await (await import('./waybill-postgres.ts')).openSubject(config.urls)
    : await (await import('../peers/langgraph/postgres.ts')).openSubject(config.url)
const prepared = new Map<number, () => Promise<string>>()

answer(async ({ calls, runs, atOnce }: SubjectRuns): Promise<SubjectCost> => {
  const run = prepared.get(calls) ?? (await subject.prepare(calls, 0))
  prepared.set(calls, run)
  const cpu = process.cpuUsage()
  const from = performance.now()
  for (let done = 0; done < runs; done += atOnce) {
    const texts = await Promise.all(Array.from({ length: Math.min(atOnce, runs - done) }, run))
    const wrong = texts.find((text) => text !== FINAL_TEXT)
    if (wrong !== undefined) throw new Error(`a run did not end as expected: ${wrong}`)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { wall_ms: performance.now() - from, cpu_ms: (user + system) / 1_000 }
})
