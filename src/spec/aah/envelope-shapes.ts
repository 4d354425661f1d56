import type {
  Artifact,
  ArtifactEnvelope,
  Content,
  Section,
  SectionUpdate,
  TaskFields,
} from './generated/artifact-envelope.ts'

/** Says what an artifact is, as a full envelope must (§2.2). */
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

/** A section that is a piece of work (§2.5.2). */
export type TaskSection = Section & TaskFields & { readonly type: 'task' }

/** Whether the task fields of a section mean anything; on any other section they are to be ignored. */
export function isTask(section: Section): section is TaskSection {
  return section.type === 'task'
}
