import type { CodeEntries } from './code-entry.ts'

export const TRUST_CODES = {
  KEY_NOT_FOUND: {
    meaning: 'There is no key of this name.',
    remedy: '`waybill keys list` shows all keys.',
  },
  KEY_EXISTS: {
    meaning: 'A key of this name already exists.',
    remedy: 'Choose another name.',
  },
  KEY_NAME_INVALID: {
    meaning: 'The name is not a valid name for a key.',
    remedy: 'Use letters, digits, dots, dashes and underscores.',
  },
  KEY_INVALID: {
    meaning: 'The text or file does not contain a usable key.',
    remedy: 'Request the key again.',
  },
  KEY_EXPOSED: {
    meaning: 'Other users of this machine can read the private key.',
    remedy: 'Restrict the permissions of the file, or make a new key and revoke this one.',
  },
  KEY_REVOKED: {
    meaning: 'The key was revoked.',
    remedy: 'Sign with another key.',
  },
  TRUST_STORE_INVALID: {
    meaning: 'An entry among the trusted keys cannot be read.',
    remedy: 'Correct the file that the message names.',
  },
  UNSAFE_TO_SIGN: {
    meaning: 'Readers would interpret a number of the document differently.',
    remedy: 'Write the number as a string, or with fewer digits.',
  },
  SIGNATURE_HAS_NO_PLACE: {
    meaning: 'This kind of document has no member for a signature.',
    remedy: 'Write the signature to a separate file: `--detached`.',
  },
  CARD_DID_MISMATCH: {
    meaning: 'The card names another identity than the key has.',
    remedy: 'Sign with the key of the card, or write the identity of this key into the card.',
  },
  STATE_CHECKSUM_MISSING: {
    meaning: 'A state has no checksum.',
    remedy: 'Export the state again.',
  },
  STATE_CHECKSUM_MISMATCH: {
    meaning: 'A state was changed or damaged after its capture.',
    remedy: 'Export the state again; an edited state cannot be restored.',
  },
  STATE_DOCUMENT_DIFFERS: {
    meaning:
      'The document of a sub-agent, beside a state or sent before it, is not the one that the state names or contains.',
    remedy: 'Copy or send the documents of one export together.',
  },
  SEAL_UNREADABLE: {
    meaning: 'An encrypted file was changed, or was encrypted for a key that is not here.',
    remedy: 'Ask the sender to encrypt it again for one of your keys: `waybill keys export NAME --public`.',
  },
  STATE_NOT_PAUSED: {
    meaning: 'A state is sent with a migration token, but its run was not paused when it was captured.',
    remedy: 'Pause the run, and capture it again.',
  },
  STATE_NOT_RESUMABLE: {
    meaning: 'The run of a state has ended, so there is nothing to continue.',
    remedy: 'Restore an earlier state of the run, or start a new run.',
  },
  STATE_OTHER_AGENT: {
    meaning: 'A state is of another agent than the definition that was named for it.',
    remedy: 'Name the definition of the captured agent: `--agent`.',
  },
  STATE_POSITION_UNKNOWN: {
    meaning: 'The definition does not have the step at which a state was captured.',
    remedy: 'Restore it with the version of the definition that it was captured with.',
  },
  STATE_AGENT_MISSING: {
    meaning: 'The captured run is not in this home, so the definition that continues its state is not known.',
    remedy: 'Name the definition: `--agent FILE`.',
  },
  EVENT_NOT_FOUND: {
    meaning: 'The run does not have an event with this number.',
    remedy: 'List the events: `waybill runs events RUN`.',
  },
  STATE_LOSS: {
    meaning: 'A restore would lose a part of the run, and `--fail-on-loss` does not allow that.',
    remedy: 'The message names the parts. Restore it without `--fail-on-loss` if they are not needed.',
  },
  STATE_TOKEN_INVALID: {
    meaning: 'A migration token is not valid, or was issued for another purpose.',
    remedy: 'Request a new token from the sender.',
  },
  STATE_TOKEN_EXPIRED: {
    meaning: 'A migration token has expired.',
    remedy: 'Request a new token from the sender, and import at once.',
  },
  STATE_TOKEN_REVOKED: {
    meaning: 'The migration token was signed with a revoked key.',
    remedy: 'Request a token that is signed with another key.',
  },
  STATE_TOKEN_UNKNOWN_SIGNER: {
    meaning: 'The signer of the migration token is not trusted here.',
    remedy: 'Trust the key of the sending platform.',
  },
} satisfies CodeEntries
