import type { Subject } from './subject.ts'
import { waybillSubject } from './waybill.ts'
import { open } from './waybill-disk.ts'

/** The same with a tool that writes: each call's intent is forced to disk, so this measures the disk. */
export const subject: Subject = waybillSubject({
  name: 'Waybill on disk, writes',
  readOnly: false,
  open,
})
