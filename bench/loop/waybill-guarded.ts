import type { Subject } from './subject.ts'
import { waybillSubject } from './waybill.ts'
import { TOOL } from './workload.ts'

/** Constraint rules for answers and calls, and detection of personal data. */
export const guarded: Subject = waybillSubject({
  name: 'Waybill, guarded',
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

/** No constraints, and no detection of personal data. */
export const unguarded: Subject = waybillSubject({
  name: 'Waybill, unguarded',
  agent: { compliance: { pii_handling: 'none' } },
})
