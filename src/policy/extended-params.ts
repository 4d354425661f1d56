import { isObject, type Json, type JsonObject } from '../document/json.ts'

/**
 * Members of a request body that the runtime writes, by their names in provider APIs, and those that would add a
 * prompt, tools or another destination that is not in the plan. `params.extended` may contain all other members. In
 * lower case and without underscores: servers written in Go accept `Messages` for `messages`, and Google's accept both
 * `systemInstruction` and `system_instruction`.
 */
const RUNTIME_OWNED: ReadonlySet<string> = new Set([
  // The request, or a request stored by the provider.
  ...['model', 'messages', 'system', 'prompt', 'input', 'instructions', 'contents', 'systeminstruction'],
  ...['previousresponseid', 'conversation', 'cachedcontent', 'preamble', 'chathistory', 'documents'],
  // What the model may do: tools.
  ...['tools', 'toolconfig', 'toolresources', 'functions', 'functioncall', 'mcpservers', 'plugins'],
  ...['connectors', 'websearchoptions', 'searchparameters', 'container'],
  // Where a gateway forwards the request, and with which key.
  ...['models', 'fallbacks', 'apibase', 'baseurl', 'apikey', 'extrabody'],
  // How the answer is returned.
  ...['stream', 'streamoptions', 'responseformat', 'outputformat', 'outputconfig', 'n'],
  // Parameters that have their own members in the definition.
  ...['temperature', 'maxtokens', 'maxcompletiontokens', 'maxoutputtokens', 'topp', 'frequencypenalty'],
  ...['presencepenalty', 'stop', 'stopsequences', 'seed', 'generationconfig', 'inferenceconfig'],
])

/** The only member to which both may add: Google's API has nearly all parameters there. Only in this spelling. */
const GENERATION_CONFIG = 'generationConfig'

/** Members of it that the runtime writes, as above. */
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
 * Returns the members of `params.extended` that collide with members that the runtime sends, in their order. Extended
 * parameters are sent verbatim and not validated (AAIF §4.2), so a collision makes the route unusable instead of
 * dropping or renaming the member: a definition cannot replace the prompt or the tools.
 */
export function extendedCollisions(extended: JsonObject | undefined): string[] {
  return Object.entries<Json>(extended ?? {}).flatMap(([name, value]) => {
    if (name !== GENERATION_CONFIG) return RUNTIME_OWNED.has(plain(name)) ? [name] : []
    // A value that is not an object would replace the members that the runtime writes there.
    if (!isObject(value)) return [name]
    return Object.keys(value)
      .filter((member) => OWNED_IN_GENERATION_CONFIG.has(plain(member)))
      .map((member) => `${name}.${member}`)
  })
}

/** Returns a request body with the extended parameters, unchanged; objects in both are merged. */
export function withExtended<T extends object>(body: T, extended: JsonObject): T & JsonObject {
  const own = (body as JsonObject)[GENERATION_CONFIG]
  const given = extended[GENERATION_CONFIG]
  const joined = isObject(own) && isObject(given) ? { [GENERATION_CONFIG]: { ...own, ...given } } : {}
  return { ...body, ...extended, ...joined }
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}
