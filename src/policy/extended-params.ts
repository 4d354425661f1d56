import { isObject, type Json, type JsonObject } from '../document/json.ts'

/**
 * The members of a request body that the runtime writes, under the names that provider APIs give them, and those
 * that would bring a prompt, tools or another place past the plan. `params.extended` may hold anything else.
 * In small letters and without underscores: servers written in Go take `Messages` for `messages`, and Google's take
 * either of `systemInstruction` and `system_instruction`.
 */
const RUNTIME_OWNED: ReadonlySet<string> = new Set([
  // The question itself, or one that the provider has kept.
  ...['model', 'messages', 'system', 'prompt', 'input', 'instructions', 'contents', 'systeminstruction'],
  ...['previousresponseid', 'conversation', 'cachedcontent', 'preamble', 'chathistory', 'documents'],
  // What the model may do.
  ...['tools', 'toolconfig', 'toolresources', 'functions', 'functioncall', 'mcpservers', 'plugins'],
  ...['connectors', 'websearchoptions', 'searchparameters', 'container'],
  // Where a gateway sends it on to, and with which key.
  ...['models', 'fallbacks', 'apibase', 'baseurl', 'apikey', 'extrabody'],
  // How the answer comes back.
  ...['stream', 'streamoptions', 'responseformat', 'outputformat', 'outputconfig', 'n'],
  // Parameters that the definition has members of its own for.
  ...['temperature', 'maxtokens', 'maxcompletiontokens', 'maxoutputtokens', 'topp', 'frequencypenalty'],
  ...['presencepenalty', 'stop', 'stopsequences', 'seed', 'generationconfig', 'inferenceconfig'],
])

/** The one member that both may write in: Google's API has nearly all parameters there. In no other spelling. */
const GENERATION_CONFIG = 'generationConfig'

/** Its members that the runtime writes, as above. */
const OWNED_IN_GENERATION_CONFIG: ReadonlySet<string> = new Set([
  ...['candidatecount', 'frequencypenalty', 'maxoutputtokens', 'presencepenalty', 'responseformat'],
  ...[
    'responsejsonschema',
    'responsemimetype',
    'responseschema',
    'seed',
    'stopsequences',
    'temperature',
    'topp',
  ],
])

/**
 * The members of `params.extended` that collide with what the runtime itself sends, in their own order. Extended
 * parameters go out verbatim and unvalidated (AAIF §4.2), so one that collides closes the route instead of being
 * dropped or renamed: nothing in a definition can replace the prompt or the tools.
 */
export function extendedCollisions(extended: JsonObject | undefined): string[] {
  return Object.entries<Json>(extended ?? {}).flatMap(([name, value]) => {
    if (name !== GENERATION_CONFIG) return RUNTIME_OWNED.has(plain(name)) ? [name] : []
    // What is no object would take the place of what the runtime writes there.
    if (!isObject(value)) return [name]
    return Object.keys(value)
      .filter((member) => OWNED_IN_GENERATION_CONFIG.has(plain(member)))
      .map((member) => `${name}.${member}`)
  })
}

/** A request body with the extended parameters in it, as they are; what both have members in is joined. */
export function withExtended<T extends object>(body: T, extended: JsonObject): T & JsonObject {
  const own = (body as JsonObject)[GENERATION_CONFIG]
  const given = extended[GENERATION_CONFIG]
  const joined = isObject(own) && isObject(given) ? { [GENERATION_CONFIG]: { ...own, ...given } } : {}
  return { ...body, ...extended, ...joined }
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}
