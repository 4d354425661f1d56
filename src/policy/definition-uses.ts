import { sha256OfCanonical } from '../document/canonical.ts'
import type { Json, JsonObject } from '../document/json.ts'

/** One place that a definition leads to, and how. */
export interface DefinitionUse {
  /** `HOST` or `HOST:PORT`, in the spelling that the endpoint gate judges. */
  readonly host: string
  /** Name of the secret that it signs in with. */
  readonly secret?: string
  /** The same as long as address, method and sign-in are the same, whatever else is edited. */
  readonly fingerprint: string
}

/** Members of a tool that do not say where a call goes or how it signs in. */
const WORDS = new Set(['name', 'description', 'parameters', 'parameters_schema', 'output_schema', 'examples'])

/**
 * Every place that a definition leads to: its tools, and every other URL in it (models, texts, collectors). What was
 * granted for some of them is not granted for one that was added or changed later.
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

/** Finds each text that the URL parser reads as a URL with a host: what it reads can be called. */
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

/** Another spelling must not hide a host: a final dot, or capitals and escapes below another scheme than https. */
function hostOf(url: URL): string {
  const { hostname } = URL.parse(`https://${url.hostname}/`) ?? url
  const name = hostname.replace(/\.$/, '')
  return url.port === '' ? name : `${name}:${url.port}`
}
