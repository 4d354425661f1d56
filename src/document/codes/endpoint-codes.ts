import type { CodeEntries } from './code-entry.ts'

export const ENDPOINT_CODES = {
  ENDPOINT_NOT_GRANTED: {
    meaning: 'The host is not allowed.',
    remedy: 'Use `--allow-host HOST`, or `allow_hosts` in the configuration.',
  },
  ENDPOINT_DENIED: {
    meaning: 'The `waybill.yaml` of a project denies this host.',
    remedy: 'Remove it from `deny_hosts` there if the call is intended; no grant overrides it.',
  },
  ENDPOINT_ADDRESS_PRIVATE: {
    meaning: 'The host is, or resolves to, a private or loopback address.',
    remedy: 'Use `--allow-host HOST:PORT` on the command line; no other setting allows it.',
  },
  ENDPOINT_ADDRESS_SPECIAL: {
    meaning: 'The address is reserved for a special purpose, such as the metadata service of a cloud.',
    remedy: 'Allow the address itself if the call is intended.',
  },
  ENDPOINT_PLAIN_HTTP: {
    meaning: 'The URL uses plain `http`, and its host was not allowed by its full name.',
    remedy: 'Use `https`, or allow the host by name.',
  },
  ENDPOINT_SCHEME_REFUSED: {
    meaning: 'The URL scheme is neither `http` nor `https`.',
    remedy: 'Use `https`.',
  },
  ENDPOINT_CREDENTIALS_IN_URL: {
    meaning: 'The URL contains a user name or a password.',
    remedy: 'Remove them, and name a secret in `auth`.',
  },
  ENDPOINT_URL_INVALID: {
    meaning: 'The URL is not absolute, or its host name does not resolve.',
    remedy: 'Write `https://HOST/PATH`.',
  },
  ENDPOINT_CERTIFICATE_REFUSED: {
    meaning: 'The certificate of the server is not trusted; the request was not sent.',
    remedy:
      'Name its certificate authority with `ca_files`, use the host name of the certificate, or renew it.',
  },
  ENDPOINT_REDIRECT_REFUSED: {
    meaning: 'The server redirected to another origin, too often, or a request with a body.',
    remedy: 'Use the target of the redirect as the endpoint if it is intended.',
  },
} satisfies CodeEntries
