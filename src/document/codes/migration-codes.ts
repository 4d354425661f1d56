import type { CodeEntries } from './code-entry.ts'

export const MIGRATION_CODES = {
  PEER_NOT_FOUND: {
    status: 404,
    meaning: 'No platform with this name or URL is pinned.',
    remedy:
      'List the pinned platforms: `waybill peers`, or pin it with `waybill peers add`; on a machine without a server, with `waybill keys trust NAME URL --platform URL`.',
  },
  PEER_INVITE_REFUSED: {
    status: 403,
    meaning:
      'An invitation pins one platform, once, until it expires; this one is used, has expired, or is not an invitation.',
    remedy: 'An admin of the other platform makes a new one with `waybill peers invite NAME`.',
  },
  ENROLMENT_OFF: {
    meaning: 'The platform does not pin the machines of members when they log in (`enrol_machines: false`).',
    remedy: 'An admin pins the machine with `waybill peers add NAME --keys FILE`.',
  },
  PEER_INVALID: {
    status: 422,
    meaning:
      'A platform cannot be pinned, or cannot be used for a move: its URL, its keys, its users or its token are not usable.',
    remedy: 'Give an https URL, and the keys that the platform publishes at `/.well-known/jwks.json`.',
  },
  PEER_LIMIT: {
    status: 409,
    meaning: 'An organisation can pin a limited number of platforms.',
    remedy: 'Remove one that is not used.',
  },
  PEER_UNREACHABLE: {
    status: 424,
    meaning: 'The other platform did not answer, or its answer could not be read.',
    remedy:
      'Check its URL and that it runs, and try again. Its host must be in `allow_hosts` if it is private.',
  },
  PUBLIC_URL_MISSING: {
    status: 409,
    meaning: 'The platform does not know the URL under which others reach it, which tokens name.',
    remedy: 'Start the server and the workers with `--public-url https://NAME`.',
  },
  TLS_REQUIRED: {
    status: 426,
    meaning:
      'A state may only travel over an encrypted connection (AAIF §12); without a migration token also within one machine, unless a proxy is between or `states.plaintext` is `never`.',
    remedy: 'Use the https URL of the platform.',
  },
  KEPT_STATES_FULL: {
    status: 409,
    meaning:
      'An organisation keeps a limited number and size of states of sub-agents that wait for the state of their caller.',
    remedy:
      'Send the states of the callers, or wait until the first ones are removed (`states.kept_minutes`).',
  },
  STATE_DOCUMENT_GONE: {
    status: 409,
    meaning:
      'The state of a sub-agent that was sent before was used or removed while the state of its caller arrived.',
    remedy: 'Send the states of the sub-agents again, and then that of their caller.',
  },
  RUN_MOVING: {
    status: 409,
    meaning: 'The run is being moved to another platform, so nothing can be asked of it here.',
    remedy:
      'Wait until the move has ended: GET /v1/runs/RUN shows it. On a machine without a server, `waybill migrate` with the same target continues it.',
  },
  RUN_MOVED: {
    status: 409,
    meaning: 'The run was moved to another platform and continues there.',
    remedy: 'Use the run that the message names, on that platform.',
  },
  HANDOFF_FAILED: {
    meaning:
      'A streaming handoff broke off, broke a rule of AAIF §8.3, or its sender reported an error. Nothing of it was kept.',
    remedy: 'Send the state again in a new stream, with a new token.',
  },
  STATE_NOT_STREAMABLE: {
    meaning: 'A part of the state is too large for one line of a stream.',
    remedy: 'Move the run as a document: `--method document`.',
  },
  RUN_BUSY: {
    status: 409,
    meaning: 'A run that is paused has a decision that it has not taken in, so it cannot be moved.',
    remedy: 'Resume the run, and move it then.',
  },
  MOVE_NOT_EXAMINED: {
    meaning:
      'The other platform has not read the state, so it is not known whether a part of the run would be lost.',
    remedy: 'Upload the definition there first, or move without `fail_on_loss`.',
  },
  MOVE_REFUSED: {
    meaning: 'The run was not moved. It continues here.',
    remedy: 'The message has the reason.',
  },
  MOVE_NOT_FOUND: {
    status: 404,
    meaning: 'This organisation knows no migration token with this id.',
    remedy: 'Use the `jti` of a token that was issued here, or that a state was imported with.',
  },
  MOVE_NOT_READY: {
    status: 409,
    meaning: 'The state of the run cannot be fetched yet: the run is being paused.',
    remedy: 'Try again in a moment. `waybill migrate` waits by itself.',
  },
  MOVE_WITHDRAWN: {
    status: 409,
    meaning: 'The state of the run cannot be fetched any more: its token has expired, or the move has ended.',
    remedy: 'Report that the token is not used, and begin a new move: `waybill migrate RUN --from URL`.',
  },
  MOVE_REPORT_INVALID: {
    meaning:
      'A statement of a receiver about a migration token is not signed by it, or is about another one.',
    remedy: 'The receiver reports again. An admin pins its new keys with `waybill peers add`.',
  },
  STATE_TOKEN_USED: {
    status: 409,
    meaning: 'A state was already imported with this migration token, or the token was withdrawn.',
    remedy: 'Each token permits one import. Ask the sender for a new one.',
  },
  STATE_USER_UNKNOWN: {
    meaning:
      'The user of a run that was sent is not in the map of users that was pinned with the other platform.',
    remedy: 'An admin adds the user to the peer: `waybill peers add NAME --user THEIRS=OURS`.',
  },
  STATE_TOKEN_MISSING: {
    meaning: 'A state of a run that is being moved has no migration token.',
    remedy: 'Move the run with `waybill migrate`, which issues one.',
  },
} satisfies CodeEntries
