import type { JsonObject } from '../document/json.ts'
import type { PlannedTool } from './plan.ts'

/**
 * Above these limits the tools of servers are searched: every request to a model would contain all of them. Providers
 * refuse requests with more tools (OpenAI: 128), and 80,000 characters are about 20,000 tokens.
 */
const MOST_OFFERED = 100
const LARGEST_OFFER = 80_000

/**
 * Adds a tool that searches the tools of servers, if they are too many or too large for every request. They stay tools of
 * the plan, each with its own gate: a request contains those that the model has found. The tools that the author of a
 * definition wrote are in every request, unless a provider refuses so many.
 * @param most the most tools that every provider of the plan accepts in a request
 */
export function deferTools(
  tools: readonly PlannedTool[],
  rehearsal: boolean,
  most = Number.POSITIVE_INFINITY,
): readonly PlannedTool[] {
  const offered = tools.filter(({ gate }) => gate !== 'deny')
  const isTooMany = offered.length > MOST_OFFERED || sizeOf(offered) > LARGEST_OFFER
  const own = offered.filter((tool) => !isOfServer(tool)).length
  const isSearched = (tool: PlannedTool) =>
    tool.gate !== 'deny' && (isOfServer(tool) || (own + RESERVED > most && tool.agent === undefined))
  const served = tools.filter(isSearched)
  // A search for a few tools would cost more than it saves.
  if (!isTooMany || served.length < 10) return tools
  const name = freeName('find_tools', new Set(tools.map((tool) => tool.name)))
  const sources = [...new Set(served.map(({ declared }) => declared ?? 'the definition'))].join(', ')
  const search: PlannedTool = {
    name,
    description: `Finds tools by words. ${served.length} more tools (${sources}) can be called only after this search has found them: describe in a few words what the tool has to do.`,
    protocol: 'search',
    effect: 'read',
    idempotent: true,
    gate: 'allow',
    reason: `the tools of ${sources} are ${served.length} with ${Math.ceil(sizeOf(served) / 1024)} KB: requests contain those that the model has found`,
    ...(rehearsal && { doubled: true as const }),
    parameters_schema: SEARCH,
  }
  return [search, ...tools.map((tool) => (isSearched(tool) ? { ...tool, found_by: name } : tool))]
}

/** Tools that are added later: the search itself, and those of memory. */
const RESERVED = 3

/** The tools that search and call the operations of a large document are few. */
function isOfServer({ declared, binding }: PlannedTool): boolean {
  return declared !== undefined && binding?.part === undefined
}

const SEARCH: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, description: 'keywords for the task, or the name of a tool' },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'maximum number of results; default 5' },
  },
  required: ['query'],
  additionalProperties: false,
}

function sizeOf(tools: readonly PlannedTool[]): number {
  return tools.reduce(
    (sum, { name, description, parameters_schema }) =>
      sum + name.length + description.length + JSON.stringify(parameters_schema ?? {}).length,
    0,
  )
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`
  return name
}

/**
 * Returns the tools that a request contains: those that need no search, and those that searches in the conversation have
 * found, the latest first if they are too many.
 */
export function shownTools(tools: readonly PlannedTool[], found: readonly string[]): readonly PlannedTool[] {
  const offered = tools.filter(({ gate }) => gate !== 'deny')
  if (offered.every(({ found_by }) => found_by === undefined)) return offered
  const always = offered.filter(({ found_by }) => found_by === undefined).length
  const latest = new Set(found.toReversed().slice(0, Math.max(10, MOST_OFFERED - always)))
  return offered.filter(({ name, found_by }) => found_by === undefined || latest.has(name))
}
