import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { MAX_BYTES } from '../../document/read-document.ts'
import { HANDOFF_MEMBER } from '../../platform/moves/preflight.ts'
import type { Route } from '../route.ts'
import { document } from '../schemas/record-schemas.ts'

/** Documents about the server itself. */
export interface OwnDocuments {
  /** The manifest of the platform (AAIF §7), from the configuration as it is now. */
  readonly manifest: () => Promise<Json> | Json
  /** The conformance report of the platform (AAIF §6). */
  readonly conformance: Json
}

/** Returns the routes of the documents that describe the server. */
export function documentRoutes(
  { manifest, conformance }: OwnDocuments,
  jwks: () => Json,
  openapi: () => Json,
  urlOfServer: () => string,
): readonly Route[] {
  return [
    {
      ...documentRoute('/openapi.json', 'openapi', 'Returns this document.'),
      handle: () => ({ status: 200, json: openapi() }),
    },
    {
      ...documentRoute(
        '/.well-known/aaif-manifest.json',
        'manifest',
        'Returns the manifest of the platform.',
      ),
      handle: async () => ({ status: 200, json: withIntake(await manifest(), urlOfServer()) }),
    },
    {
      ...documentRoute(
        '/.well-known/aaif-conformance.json',
        'conformance',
        'Returns the conformance report.',
      ),
      handle: () => ({ status: 200, json: conformance }),
    },
    {
      ...documentRoute('/.well-known/jwks.json', 'jwks', 'Returns the public keys that verify messages.'),
      handle: () => ({ status: 200, json: jwks() }),
    },
  ]
}

function documentRoute(path: string, name: string, summary: string): Omit<Route, 'handle'> {
  const answers = { 200: { description: 'The document.', schema: document } }
  return { method: 'GET', path, name, summary, tag: 'documents', access: 'public', answers }
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
