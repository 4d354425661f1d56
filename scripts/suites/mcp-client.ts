/**
 * The client that the official MCP runner tests: the adapter through which agents call MCP tools. The runner starts it
 * with the URL of its server, and names the scenario in the environment.
 */
import { openMcpTools } from '../../src/adapters/mcp/mcp-tools.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { defined } from '../../src/document/defined.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import type { DiscoveredTool } from '../../src/plan/snapshot.ts'
import { checkAnswers } from '../../src/run/check-answers.ts'
import { ToolQuestions, type ToolRequest } from '../../src/run/ports.ts'

interface GivenCall {
  readonly name: string
  readonly arguments: JsonObject
}

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env
const url = process.argv.at(-1) ?? ''
const { toolCalls = [] } = JSON.parse(context) as { readonly toolCalls?: readonly GivenCall[] }

const tools = openMcpTools({
  servers: { tested: { url } },
  grants: { hosts: [] },
  env: {},
  secrets: environmentSecrets({}),
  secretGrants: [],
})
const found = await tools.discover({ name: 'tested', endpoint: 'mcp://tested' })
// Some scenarios have no tools: they judge the handshake.
if (!found.found) console.error(found.reason)
const listed = found.found ? found.tools : []
for (const [index, { name, arguments: args }] of callsOf(listed).entries()) {
  const tool = listed.find((one) => one.name === name)
  if (tool === undefined) continue
  const planned = { ...tool, protocol: 'mcp' } as unknown as PlannedTool
  const key = `conformance:${index}`
  // The runner judges what its server has seen.
  await callAnswering({ tool: planned, args, key, headers: {} }).catch((error: unknown) =>
    console.error(String(error)),
  )
}
await tools.close()

/** Makes a call, and accepts each question of the server like a person who changes nothing in its form. */
async function callAnswering(request: ToolRequest): Promise<Json> {
  try {
    return await tools.call(request, { signal: AbortSignal.timeout(20_000) })
  } catch (error) {
    if (!(error instanceof ToolQuestions)) throw error
    const { questions, requestState: request_state } = error
    const accepted = Object.fromEntries(questions.map(({ key }) => [key, { action: 'accept' } as const]))
    const checked = checkAnswers({ questions }, accepted, true)
    const answers = checked.ok ? checked.answers : {}
    const round = (request.elicitation?.round ?? 0) + 1
    return callAnswering({
      ...request,
      elicitation: { round, questions, answers, ...defined({ request_state }) },
    })
  }
}

/** Returns the calls that a scenario wants: those of its context, or one of each tool. */
function callsOf(listed: readonly DiscoveredTool[]): readonly GivenCall[] {
  if (toolCalls.length > 0) return toolCalls
  if (scenario === 'json-schema-2020-12-preservation') return echoOfSchema(listed)
  return listed.map(({ name, parameters_schema }) => ({ name, arguments: argumentsFor(parameters_schema) }))
}

/** The scenario compares the schema that was received with the one that the server has sent. */
function echoOfSchema([focal, echo]: readonly DiscoveredTool[]): readonly GivenCall[] {
  if (focal === undefined || echo === undefined) return []
  return [{ name: echo.name, arguments: { schema: focal.parameters_schema } }]
}

function argumentsFor({ properties = {} }: JsonObject): JsonObject {
  const members = Object.entries(properties as Readonly<Record<string, JsonObject>>)
  return Object.fromEntries(
    members.map(([name, { type }]) => [name, type === 'number' || type === 'integer' ? 5 : 'x']),
  )
}
