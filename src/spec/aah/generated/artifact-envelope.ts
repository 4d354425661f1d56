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
  /** Members that frameworks add, each under the name of the framework (§2.9). */
  readonly extensions?: JsonObject
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** What the artifact is (§2.2). */
export interface Artifact {
  /** Its identifier: any string that is not empty; a UUID with a prefix is recommended. */
  readonly id: string
  /** Its type, as category/subtype; types that §3 does not list begin with x-. */
  readonly type?: string
  /** Title for people. */
  readonly title?: string
  /** Summary of its content, at most 500 characters. */
  readonly summary?: string
  /** Initiative that it belongs to; groups related artifacts. */
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
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** The agent that made it, and the task during which it was made (§2.3). */
export interface Source {
  /** The agent that made it. */
  readonly agent_id: string
  /** The name of the agent for people. */
  readonly agent_name?: string
  /** The role of the agent, e.g. researcher. */
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
  /** The organization, if several organizations share a system. */
  readonly organization_id?: string
  /** Other members are allowed; readers ignore them. */
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
  /** Other members are allowed; readers ignore them. */
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
  /** Its position in the display order, counted from 0 (§4.3). */
  readonly position?: number
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
  /** Its version. */
  readonly version?: number
  /** Kind of section: overview, research, spec, roadmap, task, decision, or an x- type (§2.5.1). */
  readonly type?: string
  /** Approval status (§2.5.3). */
  readonly status?: 'draft' | 'needs_approval' | 'approved' | 'needs_changes'
  /** When approval was requested. */
  readonly approval_requested_at?: string
  /** The agent that requested it. */
  readonly approval_requested_by?: string
  /** What the approver should review. */
  readonly approval_note?: string
  /** When it was decided. */
  readonly decided_at?: string
  /** Who decided: an agent_id, or human. */
  readonly decided_by?: string
  /** The reason, or the changes required. */
  readonly decision_note?: string
  /** Other members are allowed; readers ignore them. */
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
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Retention, visibility and status (§2.7). */
export interface Lifecycle {
  /** How long it is kept. */
  readonly retention?: 'ephemeral' | '7d' | '30d' | '90d' | 'permanent'
  /** When it expires; takes precedence over retention. */
  readonly expires_at?: string
  /** Who may read it. */
  readonly visibility?: 'private' | 'team' | 'organization' | 'public'
  /** Lifecycle status. */
  readonly status?: 'draft' | 'active' | 'needs_approval' | 'final' | 'superseded' | 'archived'
  /** The artifact that replaces it. */
  readonly superseded_by?: string
  /** Labels. */
  readonly tags?: readonly string[]
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Where the artifact goes next (§2.8). */
export interface Routing {
  /** The agent it is for. */
  readonly target_agent?: string
  /** The role it is for, when the agent is not known. */
  readonly target_role?: string
  /** Whether an artifact is expected in response. */
  readonly expects_response?: boolean
  /** When the answer is due. */
  readonly response_deadline?: string
  /** The artifacts this one derives from. */
  readonly parent_artifact_ids?: readonly string[]
  /** Additional information for the recipient; passed on unchanged. */
  readonly context?: JsonObject
  /** How urgent it is. */
  readonly priority?: 'low' | 'normal' | 'high' | 'urgent'
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Additional members of a section of type task; on other sections they have no meaning (§2.5.2). */
export interface TaskFields {
  /** Work status. */
  readonly task_status?: 'pending' | 'in_progress' | 'blocked' | 'done'
  /** 1 is high, 2 medium, 3 low. */
  readonly priority?: number
  /** The agent that is to do the work. */
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
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}
