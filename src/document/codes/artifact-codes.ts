import type { CodeEntries } from './code-entry.ts'

export const ARTIFACT_CODES = {
  NOT_AN_ENVELOPE: {
    meaning: 'The document is not an artifact envelope.',
    remedy: 'Write an envelope as the hint shows.',
  },
  AAH_VERSION_UNSUPPORTED: {
    meaning: 'The AAH version is not supported.',
    remedy: 'Use a version that the hint lists.',
  },
  VERSION_BELOW_FEATURES: {
    meaning: 'The artifact uses features of a later version than it names.',
    remedy: 'Name the later version.',
    severity: 'info',
  },
  CONTENT_AND_SECTIONS: {
    meaning: 'An artifact has both content and sections.',
    remedy: 'Keep one of them.',
  },
  UPDATE_CARRIES_MORE: {
    meaning: 'A partial update has members that receivers ignore.',
    remedy: 'Send the update alone, or the whole artifact.',
    severity: 'warning',
  },
  MEMBER_LIKELY_MISTYPED: {
    meaning: 'A member is unknown and ignored, and its name resembles a known member.',
    remedy: 'Correct the spelling if it is a mistake.',
    severity: 'info',
  },
  ARTIFACT_TYPE_UNLISTED: {
    meaning: 'The format does not define this type of artifact.',
    remedy: 'Use a type that the hint names.',
  },
  SECTION_TYPE_UNLISTED: {
    meaning: 'The format does not define this type of section.',
    remedy: 'Use a type that the hint names.',
  },
  MEDIA_TYPE_UNLISTED: {
    meaning: 'Readers are not required to support this media type.',
    remedy: 'Correct the type if it is a mistake.',
    severity: 'warning',
  },
  BODY_NOT_BASE64: {
    meaning: 'The body is declared as base64 but is not valid base64.',
    remedy: 'Encode the bytes again.',
  },
  BINARY_NOT_BASE64: {
    meaning: 'An image is given as text.',
    remedy: 'Write it in base64, or give a `body_url`.',
  },
  BODY_HASH_MISMATCH: {
    meaning: 'The hash of the body differs from the declared hash.',
    remedy: 'Fetch the artifact again.',
  },
  SIZE_MISMATCH: {
    meaning: 'The size of the body differs from the declared size.',
    remedy: 'Correct the size, unless the body was truncated.',
    severity: 'warning',
  },
  INTEGRITY_UNCHECKED: {
    meaning: 'The hash or size cannot be checked, because the exact bytes of the body are not known.',
    remedy: 'Send the body as UTF-8 text.',
    severity: 'info',
  },
  CONTENT_NOT_AS_DECLARED: {
    meaning: 'The body does not match its media type.',
    remedy: 'Correct the body or the media type.',
    severity: 'warning',
  },
  STRUCTURED_BODY_INCOMPLETE: {
    meaning: 'A structured body has no schema or no data.',
    remedy: 'Add the missing member.',
  },
  STRUCTURED_BODY_NOT_JSON: {
    meaning: 'A structured body is not a JSON object.',
    remedy: 'Write `{"schema": …, "data": …}`.',
  },
  TIMESTAMP_UNREADABLE: {
    meaning: 'A time is not a valid timestamp.',
    remedy: 'Write it like `2026-01-31T09:00:00Z`.',
  },
  TIMESTAMP_VAGUE: {
    meaning: 'A time has no time zone, so its moment is ambiguous.',
    remedy: 'Add the time zone.',
    severity: 'warning',
  },
  COMPLETED_BEFORE_STARTED: {
    meaning: 'The end time of a task is before its start time.',
    remedy: 'Correct the wrong time.',
    severity: 'warning',
  },
  SUPERSEDED_BY_MISSING: {
    meaning: 'The artifact is superseded but does not name its successor.',
    remedy: 'Add `superseded_by`.',
    severity: 'warning',
  },
  EXTENSION_NOT_NAMESPACED: {
    meaning: 'An extension has no namespace.',
    remedy: 'Put it under the name of the organization that defines it.',
    severity: 'warning',
  },
  SECTION_ID_TWICE: {
    meaning: 'Two sections have the same id.',
    remedy: 'Give each section its own id.',
  },
  SOURCE_SECTION_UNKNOWN: {
    meaning: 'A task refers to a source section that does not exist.',
    remedy: 'Name an existing section.',
    severity: 'warning',
  },
  TASK_FIELDS_IGNORED: {
    meaning: 'A section that is not a task has members of a task.',
    remedy: 'Write `type: task` if it is one.',
    severity: 'info',
  },
  TASK_REFERENCE_MALFORMED: {
    meaning: 'A text looks like a reference to a task but is not a valid one.',
    remedy: 'Write it as the hint shows.',
    severity: 'warning',
  },
  TASK_REFERENCE_DANGLING: {
    meaning: 'A reference does not point to a task.',
    remedy: 'Name a section that is a task.',
    severity: 'warning',
  },
  APPROVAL_REQUEST_INCOMPLETE: {
    meaning: 'A request for approval lacks its subject, its requester or its time.',
    remedy: 'Add the missing member.',
    severity: 'info',
  },
  APPROVAL_MOVE_REFUSED: {
    meaning: 'The approval status of a section cannot change from the current status to the requested one.',
    remedy: 'Take the steps that the hint names.',
  },
  APPROVAL_BY_REQUESTER: {
    meaning: 'The requester of an approval cannot give it.',
    remedy: 'Let another person decide.',
  },
} satisfies CodeEntries
