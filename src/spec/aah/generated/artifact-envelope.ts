// Generated from src/spec/aah/artifact-envelope.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** An artifact with its provenance: simple (content), sectioned (sections), or a partial update (section_update). */
export interface ArtifactEnvelope {
  /** Version of AAH that the envelope follows (§2.1). */
  readonly aah_version: string
  readonly artifact: Artifact
  readonly source: Source
  readonly content?: Content
  /** The sections of a collaborative artifact (§2.5). */
  readonly sections?: readonly Section[]
  readonly section_update?: SectionUpdate
  readonly lifecycle?: Lifecycle
  readonly handoff?: Routing
  /** What frameworks add, each under its own name (§2.9). */
  readonly extensions?: JsonObject
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** What the artifact is (§2.2). */
export interface Artifact {
  /** Its identifier; a prefixed UUID is advised, any text that is not empty is right. */
  readonly id: string
  /** What it is, as category/subtype; others than those of §3 begin with x-. */
  readonly type?: string
  /** Title for people. */
  readonly title?: string
  /** What it says, in at most 500 characters. */
  readonly summary?: string
  /** What it belongs to: groups related artifacts. */
  readonly initiative?: string
  /** Its version, counted from 1. */
  readonly version?: number
  /** Identifier of this version. */
  readonly version_id?: string
  /** Identifier of the version before this one. */
  readonly previous_version_id?: string
  /** When it was made. */
  readonly created_at?: string
  /** When it was last changed. */
  readonly updated_at?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Who made it, and in the course of what (§2.3). */
export interface Source {
  /** The agent that made it. */
  readonly agent_id: string
  /** The name of the agent for people. */
  readonly agent_name?: string
  /** The part that the agent plays, e.g. researcher. */
  readonly agent_role?: string
  /** The framework that ran the agent. */
  readonly framework?: string
  /** Version of the framework. */
  readonly framework_version?: string
  /** The session or run. */
  readonly session_id?: string
  /** The task or ticket. */
  readonly task_id?: string
  /** What the agent was trying to do. */
  readonly task_description?: string
  /** The model that was used. */
  readonly model?: string
  /** The organization, where several share a system. */
  readonly organization_id?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** The content of a simple artifact (§2.4). */
export interface Content {
  /** Media type of the content. */
  readonly media_type: string
  /** Character encoding of the content, or base64 for inline bytes. */
  readonly encoding?: string
  /** The content itself; an object for structured content only (§5). */
  readonly body?: string | JsonObject
  /** Where the content can be fetched, when it is not inline. */
  readonly body_url?: string
  /** SHA-256 of the bytes of the content, in hexadecimal. */
  readonly body_hash?: string
  /** How many bytes the content has. */
  readonly size_bytes?: number
  /** How many tokens the content takes, estimated. */
  readonly token_count?: number
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** One part of a collaborative artifact, owned by one agent (§2.5). */
export interface Section {
  /** Identifier that stays the same: lower-case letters, digits and hyphens (§4.2). */
  readonly id: string
  /** Title shown above it. */
  readonly heading: string
  /** Its content, as Markdown. */
  readonly content: string
  /** The agent that owns it. */
  readonly agent_id: string
  /** The name of that agent for people. */
  readonly agent_name?: string
  /** Its place in the order of display, counted from 0 (§4.3). */
  readonly position?: number
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
  /** Its version. */
  readonly version?: number
  /** What it means: overview, research, spec, roadmap, task, decision, or an x- type (§2.5.1). */
  readonly type?: string
  /** How far its approval is (§2.5.3). */
  readonly status?: 'draft' | 'needs_approval' | 'approved' | 'needs_changes'
  /** When approval was asked for. */
  readonly approval_requested_at?: string
  /** The agent that asked for it. */
  readonly approval_requested_by?: string
  /** What is to be looked at. */
  readonly approval_note?: string
  /** When it was decided. */
  readonly decided_at?: string
  /** Who decided: an agent_id, or human. */
  readonly decided_by?: string
  /** Why, or what is to be changed. */
  readonly decision_note?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** New content for one section; makes the envelope a partial update (§2.6). */
export interface SectionUpdate {
  /** The section to update. */
  readonly id: string
  /** Its new heading, if that changes. */
  readonly heading?: string
  /** Its new content. */
  readonly content: string
  /** What changed. */
  readonly change_note?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** How long it is kept, who may read it, how far it is (§2.7). */
export interface Lifecycle {
  /** How long it is kept. */
  readonly retention?: 'ephemeral' | '7d' | '30d' | '90d' | 'permanent'
  /** When it expires; goes before retention. */
  readonly expires_at?: string
  /** Who may read it. */
  readonly visibility?: 'private' | 'team' | 'organization' | 'public'
  /** Where it is in its life. */
  readonly status?: 'draft' | 'active' | 'needs_approval' | 'final' | 'superseded' | 'archived'
  /** The artifact that replaces it. */
  readonly superseded_by?: string
  /** Labels. */
  readonly tags?: readonly string[]
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Where the artifact goes next (§2.8). */
export interface Routing {
  /** The agent it is for. */
  readonly target_agent?: string
  /** The role it is for, when the agent is not known. */
  readonly target_role?: string
  /** Whether an artifact is expected in answer. */
  readonly expects_response?: boolean
  /** When the answer is due. */
  readonly response_deadline?: string
  /** The artifacts this one derives from. */
  readonly parent_artifact_ids?: readonly string[]
  /** What else the recipient should know; passed on as it is. */
  readonly context?: JsonObject
  /** How urgent it is. */
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent'
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** What a section of type task has besides; on other sections these mean nothing (§2.5.2). */
export interface TaskFields {
  /** How far the work is. */
  readonly task_status?: 'pending' | 'in_progress' | 'blocked' | 'done'
  /** 1 is high, 2 medium, 3 low. */
  readonly priority?: number
  /** The agent that is to do it. */
  readonly assignee_agent_id?: string
  /** The section of this artifact that it comes from. */
  readonly source_section_id?: string
  /** When the work began. */
  readonly started_at?: string
  /** When the work was finished. */
  readonly completed_at?: string
  /** Where the result is. */
  readonly output_url?: string
  /** What the result is. */
  readonly output_type?: 'pr' | 'doc' | 'artifact' | 'deployment'
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}
