import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { MAX_BYTES } from '../../document/read-document.ts'
import type { Route } from '../../http/route.ts'
import { HANDOFF_MEMBER } from '../../platform/moves/preflight.ts'
import type { Tenant } from '../../platform/platform.ts'
import { publicDocument } from '../public-document.ts'
import { document } from '../schemas/record-schemas.ts'

/** Documents about the server itself. */
export interface OwnDocuments {
  /** The manifest of the platform (AAIF §7), from the configuration as it is now. */
  readonly manifest: () => Promise<Json> | Json
  /** The conformance report of the platform (AAIF §6). */
  readonly conformance: Json
}

/** Keys are rotated and revoked, and the configuration changes: a cache must not keep what it says for long. */
const CHANGING_SECONDS = 60
/** What changes with the version of the product only. */
const FIXED_SECONDS = 300

/** Returns the routes of the documents that describe the server. */
export function documentRoutes(
  { manifest, conformance }: OwnDocuments,
  jwks: () => Json,
  openapi: () => Json,
  urlOfServer: () => string,
): readonly Route<Tenant>[] {
  const answer = { description: 'The document.', schema: document }
  return [
    {
      path: '/openapi.json',
      name: 'openapi',
      summary: 'Returns this document.',
      maxAgeSeconds: FIXED_SECONDS,
      content: openapi,
    },
    {
      path: '/.well-known/aaif-manifest.json',
      name: 'manifest',
      summary: 'Returns the manifest of the platform.',
      maxAgeSeconds: CHANGING_SECONDS,
      content: async () => withIntake(await manifest(), urlOfServer()),
    },
    {
      path: '/.well-known/aaif-conformance.json',
      name: 'conformance',
      summary: 'Returns the conformance report.',
      maxAgeSeconds: FIXED_SECONDS,
      content: () => conformance,
    },
    {
      path: '/.well-known/jwks.json',
      name: 'jwks',
      summary: 'Returns the public keys that verify messages.',
      maxAgeSeconds: CHANGING_SECONDS,
      content: jwks,
    },
  ].map((described) => publicDocument({ answer, ...described }))
}

/** Adds where the platform accepts definitions (AAIF §7), the route that uploads an agent, and how it accepts streams. */
function withIntake(manifest: Json, url: string): Json {
  if (!isObject(manifest) || !isObject(manifest.platform)) return manifest
  const intake_endpoint: JsonObject = {
    url: new URL('/v1/agents', url).href,
    method: 'POST',
    auth_scheme: 'bearer',
    content_type: 'application/json',
    max_body_bytes: MAX_BYTES,
  }
  return {
    ...manifest,
    platform: { ...manifest.platform, intake_endpoint },
    [HANDOFF_MEMBER]: ['https', 'wss'],
  }
}
