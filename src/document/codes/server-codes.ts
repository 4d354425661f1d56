import type { CodeEntries } from './code-entry.ts'

export const SERVER_CODES = {
  ROUTE_NOT_FOUND: {
    status: 404,
    meaning: 'The server has no such path.',
    remedy: 'Compare the path with `/openapi.json`.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not support this method.',
    remedy: 'Use a method that the header `allow` names.',
  },
  TOKEN_REFUSED: {
    status: 401,
    meaning: 'The request has no valid token: it is missing, unknown, expired or revoked.',
    remedy: 'Send `Authorization: Bearer TOKEN` with a valid token.',
  },
  ATTEMPTS_EXCEEDED: {
    status: 429,
    meaning: 'Too many requests with invalid tokens came from this address.',
    remedy: 'Wait for the seconds in the header `retry-after`, and use a valid token.',
  },
  ROLE_MISSING: {
    status: 403,
    meaning: 'The principal of the token has no role that permits the request.',
    remedy: 'Use a token with one of the roles that the hint names.',
  },
  HOST_REFUSED: {
    status: 421,
    meaning: 'The header `host` names neither this machine nor the public URL of the server.',
    remedy: 'Use the URL that the server printed, or set `--public-url`.',
  },
  BODY_UNREADABLE: {
    meaning: 'The body of the request is not valid JSON. `issues` gives the places.',
    remedy: 'Send one JSON value in UTF-8.',
  },
  REQUEST_INVALID: {
    status: 422,
    meaning: 'The body of the request does not match its schema. `issues` gives the places.',
    remedy: 'Compare the body with the schema of the route in `/openapi.json`.',
  },
  QUERY_INVALID: {
    meaning: 'A parameter of the query or the path is unknown, repeated or has a wrong value.',
    remedy: 'Compare the parameters with the route in `/openapi.json`.',
  },
  HEADER_INVALID: {
    meaning: 'A header of the request has a wrong value.',
    remedy: 'Write the header as the hint says.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: 'The body of the request is larger than the limit of the route.',
    remedy: 'Send less; several runs can be started as several batches.',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    meaning: 'The route does not accept this media type, character set or content encoding.',
    remedy: 'Use a media type that the hint names, in UTF-8 and uncompressed.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    meaning: 'The resource has no representation in the media types of the header `accept`.',
    remedy: 'Accept a media type that the hint names.',
  },
  REQUEST_MALFORMED: {
    meaning: 'The request is not valid HTTP, or its connection ended before its body was complete.',
    remedy: 'Send the request again, with the length that its headers announce.',
  },
  REQUEST_TOO_SLOW: {
    status: 408,
    meaning: 'The request did not arrive in time.',
    remedy: 'Send the request again on a faster connection.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    meaning: 'The headers of the request are larger than the limit of the server.',
    remedy: 'Send fewer or shorter headers.',
  },
  RATE_EXCEEDED: {
    status: 429,
    meaning: 'The principal sends more requests per second than the server permits.',
    remedy: 'Wait for the seconds in the header `retry-after`, then send the request again.',
  },
  REQUESTS_EXCEEDED: {
    status: 429,
    meaning: 'The principal has more requests or event streams open than the server permits.',
    remedy: 'Wait until one of them has ended.',
  },
  SERVER_STOPPING: {
    status: 503,
    meaning: 'The server is shutting down.',
    remedy: 'Send the request again, with the same `Idempotency-Key`.',
  },
} as const satisfies CodeEntries
