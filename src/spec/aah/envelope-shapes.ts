import type {
  Artifact,
  ArtifactEnvelope,
  Content,
  Section,
  SectionUpdate,
  TaskFields,
} from './generated/artifact-envelope.ts'

/** Describes an artifact; required in a full envelope (§2.2). */
export type FullArtifact = Artifact & { readonly type: string; readonly created_at: string }

export type SimpleEnvelope = ArtifactEnvelope & { readonly artifact: FullArtifact; readonly content: Content }
export type SectionedEnvelope = ArtifactEnvelope & {
  readonly artifact: FullArtifact
  readonly sections: readonly Section[]
}
export type UpdateEnvelope = ArtifactEnvelope & { readonly section_update: SectionUpdate }

export function isUpdate(envelope: ArtifactEnvelope): envelope is UpdateEnvelope {
  return envelope.section_update !== undefined
}

export function isSectioned(envelope: ArtifactEnvelope): envelope is SectionedEnvelope {
  return !isUpdate(envelope) && envelope.sections !== undefined
}

export function isSimple(envelope: ArtifactEnvelope): envelope is SimpleEnvelope {
  return !isUpdate(envelope) && envelope.content !== undefined
}

/** A section of type task (§2.5.2). */
export type TaskSection = Section & TaskFields & { readonly type: 'task' }

/** Returns true if the task members of a section have a meaning; on other sections readers ignore them. */
export function isTask(section: Section): section is TaskSection {
  return section.type === 'task'
}
