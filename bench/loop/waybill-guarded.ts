import type { Subject } from './subject.ts'
import { linesInMemory, waybillSubject } from './waybill.ts'
import { TOOL } from './workload.ts'

/** Rules of the constraint grammar on answers and calls, personal data looked for, every event written out. */
export const guarded: Subject = waybillSubject({
  name: 'Waybill, guarded',
  readOnly: true,
  open: linesInMemory,
  agent: {
    constraints: [
      'Answers must be at most 200 words.',
      'Never mention "Project Falcon".',
      'Answers must not contain links.',
      `Call ${TOOL.name} at most 1000 times.`,
      `Call ${TOOL.name} only when x is at most 1000000.`,
    ],
    compliance: { pii_handling: 'detect' },
  },
})

/** Nothing forbidden, personal data not looked for, no event written. */
export const unguarded: Subject = waybillSubject({
  name: 'Waybill, unguarded',
  readOnly: true,
  open: () => ({ sink: { append: () => {} }, close: () => {} }),
  agent: { compliance: { pii_handling: 'none' } },
})
