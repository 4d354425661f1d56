import type { Subject } from './subject.ts'
import { increment, modelStep } from './workload.ts'

/** The least that can be done: no checks, no record, no limits. The floor for everybody. */
export const subject: Subject = {
  name: 'bare loop',
  async prepare(tools, delayMs) {
    return async () => {
      const results: unknown[] = []
      for (;;) {
        const step = await modelStep(results.length, tools, delayMs)
        if ('text' in step) return step.text
        results.push(await increment(step.call.args))
      }
    }
  },
}
