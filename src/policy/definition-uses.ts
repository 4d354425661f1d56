import { sha256OfCanonical } from '../document/canonical.ts'
import type { Json, JsonObject } from '../document/json.ts'

/** A host that a definition uses, and how. */
export interface DefinitionUse {
  /** `HOST` or `HOST:PORT`, in the normal form of the endpoint gate. */
  readonly host: string
  /** Name of the secret used to authenticate. */
  readonly secret?: string
  /** Identifies address, method and authentication; independent of other members. */
  readonly fingerprint: string
}

/** Members of a tool that do not affect the destination of a call or its authentication. */
const WORDS = new Set(['name', 'description', 'parameters', 'parameters_schema', 'output_schema', 'examples'])

/**
 * Returns all hosts that a definition uses: those of its tools and of all other URLs in it (models, texts, collectors).
 * A grant does not apply to a host that was added or changed later.
 */
export function usesOf(definition: unknown): readonly DefinitionUse[] {
  const uses: DefinitionUse[] = []
  const { agent } = (definition ?? {}) as { readonly agent?: JsonObject }
  const { tools, ...rest } = agent ?? {}
  for (const tool of Array.isArray(tools) ? tools : []) uses.push(...usesOfTool(tool))
  collect(rest as Json, (url) =>
    uses.push({ host: url.host, fingerprint: sha256OfCanonical({ url: url.href }) }),
  )
  return uses
}

function usesOfTool(tool: Json): readonly DefinitionUse[] {
  if (typeof tool !== 'object' || tool === null || Array.isArray(tool)) return []
  const how = Object.fromEntries(Object.entries(tool as JsonObject).filter(([member]) => !WORDS.has(member)))
  const fingerprint = sha256OfCanonical(how)
  const secrets = secretsOf(how.auth)
  const uses: DefinitionUse[] = []
  collect(how, ({ host }) => {
    uses.push({ host, fingerprint }, ...secrets.map((secret) => ({ host, secret, fingerprint })))
  })
  return uses
}

function secretsOf(auth: Json | undefined): readonly string[] {
  if (typeof auth !== 'object' || auth === null || Array.isArray(auth)) return []
  const { env_var } = auth as JsonObject
  return typeof env_var === 'string' ? [env_var] : []
}

/** Finds each string that the URL parser accepts as a URL with a host, because such a URL can be called. */
function collect(value: Json, found: (url: { readonly host: string; readonly href: string }) => void): void {
  if (typeof value === 'string') {
    const url = URL.parse(value)
    if (url !== null && url.host !== '') found({ host: hostOf(url), href: url.href })
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const member of Array.isArray(value) ? value : Object.values(value as JsonObject))
    collect(member, found)
}

/** Normalises a host, so that a final dot, or capitals and escapes in other schemes than https, cannot hide it. */
function hostOf(url: URL): string {
  const { hostname } = URL.parse(`https://${url.hostname}/`) ?? url
  const name = hostname.replace(/\.$/, '')
  return url.port === '' ? name : `${name}:${url.port}`
}
