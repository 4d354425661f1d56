import type { Finding } from '../../../document/finding.ts'
import { isObject, type JsonObject } from '../../../document/json.ts'
import { itemsAt, textAt } from '../../loose-members.ts'
import { artifactEnvelopeSchema } from '../artifact-envelope.schema.ts'

const TASK_MEMBERS = Object.keys(artifactEnvelopeSchema.$defs.TaskFields.properties as object)

/** Checks the relations between sections (§2.5, §4.2). */
export function* checkSections(envelope: JsonObject): Iterable<Finding> {
  const sections = itemsAt(envelope, 'sections')
  const firstAt = new Map<string, number>()
  for (const [i, section] of sections.entries()) {
    const id = textAt(section, 'id')
    const first = id === undefined ? undefined : firstAt.get(id)
    if (id !== undefined && first !== undefined) yield duplicateId(i, first)
    else if (id !== undefined) firstAt.set(id, i)
  }
  for (const [i, section] of sections.entries()) {
    if (!isObject(section)) continue
    if (textAt(section, 'type') === 'task') {
      yield* checkOrigin(section, i, firstAt)
      yield* checkOutputUrl(section, i)
    } else yield* checkIdleTaskFields(section, i)
    yield* checkApprovalRequest(section, i)
  }
}

function duplicateId(i: number, first: number): Finding {
  return {
    severity: 'error',
    code: 'SECTION_ID_TWICE',
    pointer: `/sections/${i}/id`,
    message: `section ${first} already has this id`,
    hint: 'give this section a unique id, or merge the two sections',
    rule: 'AAH-4.2-03',
  }
}

function* checkOrigin(section: JsonObject, i: number, ids: ReadonlyMap<string, number>): Iterable<Finding> {
  const origin = textAt(section, 'source_section_id')
  if (origin === undefined || ids.has(origin)) return
  yield {
    severity: 'warning',
    code: 'SOURCE_SECTION_UNKNOWN',
    pointer: `/sections/${i}/source_section_id`,
    message: 'source_section_id names a section that this artifact does not have',
    hint: `the sections are ${[...ids.keys()].slice(0, 20).join(', ')}`,
    rule: 'AAH-2.5.2-05',
  }
}

function* checkOutputUrl(section: JsonObject, i: number): Iterable<Finding> {
  const url = textAt(section, 'output_url')
  if (url === undefined || URL.canParse(url)) return
  yield {
    severity: 'warning',
    code: 'FORMAT_MISMATCH',
    pointer: `/sections/${i}/output_url`,
    message: 'output_url is not an absolute URL',
    hint: 'write it with its scheme, such as https://…',
    rule: 'AAH-2.5.2-03',
  }
}

function* checkIdleTaskFields(section: JsonObject, i: number): Iterable<Finding> {
  const idle = TASK_MEMBERS.filter((member) => Object.hasOwn(section, member))
  if (idle.length === 0) return
  yield {
    severity: 'info',
    code: 'TASK_FIELDS_IGNORED',
    pointer: `/sections/${i}/${idle[0]}`,
    mark: 'key',
    message: `${idle.join(', ')} ${idle.length === 1 ? 'means' : 'mean'} nothing on a section that is not a task`,
    hint: 'write "type": "task" if it is one',
    rule: 'AAH-2.5.2-06',
  }
}

function* checkApprovalRequest(section: JsonObject, i: number): Iterable<Finding> {
  if (textAt(section, 'status') !== 'needs_approval') return
  const wanted = ['approval_note', 'approval_requested_at', 'approval_requested_by']
  const absent = wanted.filter((member) => !Object.hasOwn(section, member))
  if (absent.length === 0) return
  yield {
    severity: 'info',
    code: 'APPROVAL_REQUEST_INCOMPLETE',
    pointer: `/sections/${i}/status`,
    message: `the request for approval lacks ${absent.join(', ')}`,
    hint: 'state what to review, which agent requested it, and when',
    rule: 'AAH-2.5.3-04',
  }
}
