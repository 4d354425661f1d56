import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { itemsAt, objectAt, textAt } from '../../loose-members.ts'
import { findMalformedReferences, findTaskReferences } from '../task-references.ts'

/** Checks that references within the artifact point to tasks; readers show the others as not found (§2.5.4). */
export function* checkTaskReferences(envelope: JsonObject): Iterable<Finding> {
  yield* checkForm(objectAt(envelope, 'content'), '/content/body', 'body')
  yield* checkForm(objectAt(envelope, 'section_update'), '/section_update/content', 'content')
  const sections = itemsAt(envelope, 'sections')
  const tasks = new Set(
    sections.filter((section) => textAt(section, 'type') === 'task').map((task) => textAt(task, 'id')),
  )
  const here = textAt(objectAt(envelope, 'artifact'), 'id')
  for (const [i, section] of sections.entries()) {
    const pointer = `/sections/${i}/content`
    yield* checkForm(section as JsonObject, pointer, 'content')
    for (const { artifactId = here, sectionId, text } of findTaskReferences(
      textAt(section, 'content') ?? '',
    )) {
      if (artifactId === here && !tasks.has(sectionId)) yield dangling(pointer, text)
    }
  }
}

function* checkForm(owner: JsonObject, pointer: string, member: string): Iterable<Finding> {
  for (const written of findMalformedReferences(textAt(owner, member) ?? '')) {
    yield {
      severity: 'warning',
      code: 'TASK_REFERENCE_MALFORMED',
      pointer,
      message: `${clip(written)} is not a valid task reference, and is shown unchanged`,
      hint: 'write {{task:section-id}} or {{task:artifact-id:section-id}}',
      rule: 'AAH-2.5.4-01',
    }
  }
}

function dangling(pointer: string, written: string): Finding {
  return {
    severity: 'warning',
    code: 'TASK_REFERENCE_DANGLING',
    pointer,
    message: `${clip(written)} does not point to a task of this artifact, and is shown as not found`,
    hint: 'name a section with "type": "task", or put the id of its artifact before it',
    rule: 'AAH-2.5.4-03',
  }
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
