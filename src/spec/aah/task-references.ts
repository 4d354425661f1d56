import { isTask } from './envelope-shapes.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'
import { SECTION_ID } from './vocabulary.ts'

/** A reference `{{task:…}}` in a text (§2.5.4). `start` and `end` (exclusive) count UTF-16 units. */
export interface TaskReference {
  readonly start: number
  readonly end: number
  /** As it was written. */
  readonly text: string
  /** Absent: the artifact that the text is part of. */
  readonly artifactId?: string
  readonly sectionId: string
}

/** The parts of a task that a reference shows. */
export interface TaskLabel {
  readonly heading: string
  readonly status?: string | undefined
}

const MARK = /\{\{task:([^{}\r\n]{0,1024})\}\}/g
const IS_SECTION_ID = new RegExp(SECTION_ID)

/** Returns the references of a text, in order. Malformed references count as plain text. */
export function findTaskReferences(text: string): TaskReference[] {
  const references: TaskReference[] = []
  for (const { index, 0: written, 1: target = '' } of text.matchAll(MARK)) {
    // Artifact ids may contain colons, section ids may not.
    const split = target.lastIndexOf(':')
    const sectionId = target.slice(split + 1)
    if (!IS_SECTION_ID.test(sectionId) || split === 0) continue
    references.push({
      start: index,
      end: index + written.length,
      text: written,
      ...(split > 0 && { artifactId: target.slice(0, split) }),
      sectionId,
    })
  }
  return references
}

/** Returns the parts of a text that look like references but are malformed. */
export function findMalformedReferences(text: string): string[] {
  const wellFormed = new Set(findTaskReferences(text).map((reference) => reference.start))
  return [...text.matchAll(MARK)].filter(({ index }) => !wellFormed.has(index)).map(([written]) => written)
}

/**
 * Replaces each reference with the heading and status of its task, such as `Send letters (in_progress)`. A reference
 * without a target becomes a marker "task not found"; this function never throws (§2.5.4).
 */
export function renderTaskReferences(
  text: string,
  find: (reference: TaskReference) => TaskLabel | undefined,
): string {
  let rendered = ''
  let end = 0
  for (const reference of findTaskReferences(text)) {
    const task = find(reference)
    rendered += text.slice(end, reference.start) + (task === undefined ? notFound(reference) : label(task))
    end = reference.end
  }
  return rendered + text.slice(end)
}

/** Returns a look-up for references without an artifact id and references that name this artifact. */
export function tasksOf(envelope: ArtifactEnvelope): (reference: TaskReference) => TaskLabel | undefined {
  const tasks = new Map((envelope.sections ?? []).filter(isTask).map((task) => [task.id, task]))
  return ({ artifactId = envelope.artifact.id, sectionId }) => {
    const task = artifactId === envelope.artifact.id ? tasks.get(sectionId) : undefined
    return task && { heading: task.heading, status: task.task_status }
  }
}

function label({ heading, status }: TaskLabel): string {
  return `${heading.replaceAll(/\s+/g, ' ').trim()} (${status ?? 'no status'})`
}

function notFound({ artifactId, sectionId }: TaskReference): string {
  return `[task not found: ${artifactId === undefined ? '' : `${artifactId}:`}${sectionId}]`
}
