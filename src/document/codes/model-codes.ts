import type { CodeEntries } from './code-entry.ts'

export const MODEL_CODES = {
  MODEL_KEY_MISSING: {
    meaning: 'The provider needs a key, but none may be sent.',
    remedy: 'Set its variable, or bind it to the URL; see [configuration](guides/configuration.md).',
  },
  MODEL_KEY_UNUSABLE: {
    meaning: 'The key contains white space or characters that a header cannot carry.',
    remedy: 'Look for a line break at its end.',
  },
  MODEL_KEY_REFUSED: {
    meaning: 'The provider rejected the key (401, 403).',
    remedy: 'Check the key and its permissions.',
  },
  MODEL_NOT_FOUND: {
    meaning: 'The provider has no such model or path (404).',
    remedy: 'Check the id of the model and the base URL.',
  },
  MODEL_PROVIDER_UNKNOWN: {
    meaning: 'This host cannot call the provider.',
    remedy: 'Use `custom` with a base URL if the provider has an OpenAI-compatible API.',
  },
  MODEL_ROUTE_REFUSED: {
    meaning: 'The provider rejected the request for another permanent reason.',
    remedy: 'Read the message of the provider.',
  },
  MODEL_REQUEST_REFUSED: {
    meaning:
      'The provider rejected the request (400, 413, 422), for example because the conversation is too long for the model.',
    remedy: 'Read the message of the provider; another route may accept the request.',
  },
  MODEL_REQUEST_UNWRITABLE: {
    meaning: 'The request cannot be expressed in the format of the provider.',
    remedy: 'Simplify the part that the message names.',
  },
  EXTENDED_PARAMS_COLLIDE: {
    meaning: '`params.extended` sets members that the runtime sets itself.',
    remedy: 'Remove those members.',
  },
  MODEL_RATE_LIMITED: {
    meaning:
      'The provider limits the rate of requests (429). The request is retried after the pause that the provider requests.',
    remedy: 'Wait, or add a fallback.',
  },
  MODEL_TIMEOUT: {
    meaning: 'The provider did not answer within the timeout. The request is retried.',
    remedy: 'Add a fallback.',
  },
  MODEL_UNAVAILABLE: {
    meaning: 'The provider cannot be reached, or reported an internal error. The request is retried.',
    remedy: 'Check network and proxy; add a fallback.',
  },
  MODEL_CERTIFICATE_REFUSED: {
    meaning: 'The machine does not trust the certificate of the server.',
    remedy: 'Add the certificate authority to `NODE_EXTRA_CA_CERTS` if it is yours.',
  },
  MODEL_STREAM_CUT: {
    meaning: 'The stream ended before the answer was complete. The request is retried.',
    remedy: 'None, if a retry succeeds.',
  },
  MODEL_ANSWER_BROKEN: {
    meaning: 'The provider ended the answer with an error. The request is retried.',
    remedy: 'None, if a retry succeeds; else use another model.',
  },
  MODEL_ANSWER_EMPTY: {
    meaning: 'The answer of the model is empty. The request is retried.',
    remedy: 'Check the token limits.',
  },
  MODEL_ANSWER_UNREADABLE: {
    meaning: 'The answer does not follow the API of the provider. The request is retried.',
    remedy: 'Check that the base URL is the URL of an API.',
  },
  MODEL_ANSWER_TOO_LARGE: {
    meaning: 'The answer is larger than the limit allows.',
    remedy: 'Lower `max_tokens`.',
  },
  MODEL_ERROR: {
    meaning: 'The request to the model failed for another reason.',
    remedy: 'Read the message.',
  },
} satisfies CodeEntries
