import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { judgeFile } from '../../src/spec/judge-file.ts'
import { Place, waybill } from '../cli/fixture.ts'

/** Small documents of each format, and what can be done with them here. */
const DOCUMENTS: readonly (readonly [format: string, text: string, way: RegExp])[] = [
  [
    'openapi',
    '{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{}}',
    /endpoint of a tool.*protocol: openapi/,
  ],
  [
    'openapi',
    'openapi: 3.0.0\npaths:\n  /a:\n    get: {responses: {200: {description: ok}}}\n',
    /endpoint of a tool/,
  ],
  ['openapi', 'swagger: "2.0"\ninfo: {title: a}\npaths: {}\n', /convert it to OpenAPI 3/],
  ['asyncapi', 'asyncapi: 3.0.0\nchannels: {}\n', /MCP server/],
  ['mcp-config', '{"mcpServers":{"files":{"command":"npx","args":["x"]}}}', /`mcp_servers`.*mcp:\/\/files/],
  [
    'mcp-config',
    '{\n  // VS Code\n  "servers": {"web": {"type": "http", "url": "https://x.example"}},\n}',
    /mcp:\/\/web/,
  ],
  ['mcp-config', '{"mcp":{"servers":{"a b":{"command":"x"}}}}', /`mcp_servers`/],
  [
    'mcp-server',
    '{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json","name":"io.github.a/b"}',
    /`mcp_servers`/,
  ],
  ['mcp-server', '{"name":"a/b","packages":[{"registryType":"npm","identifier":"b"}]}', /`mcp_servers`/],
  [
    'a2a-card',
    '{"protocolVersion":"0.3.0","name":"A","url":"https://a.example","skills":[]}',
    /runs elsewhere/,
  ],
  [
    'a2a-card',
    '{"name":"A","version":"1","supportedInterfaces":[{"url":"https://a.example"}],"capabilities":{},"skills":[]}',
    /runs elsewhere/,
  ],
  [
    'kagent',
    'apiVersion: kagent.dev/v1alpha2\nkind: Agent\nmetadata: {name: a}\nspec: {}\n---\napiVersion: kagent.dev/v1alpha2\nkind: ModelConfig\n',
    /converter comes in a later version/,
  ],
  ['crewai', 'researcher:\n  role: R\n  goal: G\n  backstory: B\n', /converter/],
  ['crewai', 'research_task:\n  description: D\n  expected_output: E\n  agent: researcher\n', /converter/],
  ['langgraph', '{"dependencies":["."],"graphs":{"agent":"./a.py:graph"},"env":".env"}', /converter/],
  [
    'autogen',
    '{"provider":"autogen_agentchat.agents.AssistantAgent","component_type":"agent","config":{}}',
    /converter/,
  ],
  ['letta', '{"agents":[{"name":"a","block_ids":[]}],"blocks":[],"tools":[]}', /converter/],
  ['letta', JSON.stringify('{"agents":[{"name":"a","memory_blocks":[]}]}'), /converter/],
  ['dify', 'app: {mode: agent-chat, name: A}\nkind: app\nmodel_config: {}\nversion: 0.1.5\n', /converter/],
  [
    'n8n',
    '{"name":"w","nodes":[{"type":"n8n-nodes-base.start","typeVersion":1}],"connections":{}}',
    /workflow/,
  ],
  [
    'openai-assistants',
    '{"id":"asst_abc","object":"assistant","model":"gpt-4o","instructions":"x","tools":[]}',
    /converter/,
  ],
  [
    'claude-code',
    '---\nname: reviewer\ndescription: Use when: code: changes\ntools: Read, Grep\n---\n\nYou review.\n',
    /converter/,
  ],
  ['claude-code', '\u{FEFF}---\r\nname: reviewer\r\ndescription: x\r\n---\r\n', /converter/],
  ['semantic-kernel', 'name: A\ntemplate: Hi {{$x}}\ntemplate_format: semantic-kernel\n', /converter/],
  ['ms-agentschema', 'kind: Prompt\nname: A\ninstructions: x\nmodel: {id: gpt-4o}\n', /converter/],
  ['oracle-agent-spec', '{"component_type":"Agent","name":"a","agentspec_version":"25.4.1"}', /converter/],
  ['docker-agent', 'agents:\n  root: {model: openai/gpt-4o, instruction: x}\n', /converter/],
  ['google-adk', 'agent_class: LlmAgent\nname: a\ninstruction: x\n', /converter/],
  ['roo', 'customModes:\n  - slug: a\n    roleDefinition: x\n', /converter/],
  ['haystack', 'components: {llm: {init_parameters: {}, type: haystack.x}}\nconnections: []\n', /pipeline/],
  ['open-webui', '{"id":"a","base_model_id":"b","meta":{},"params":{}}', /converter/],
]

describe('a document of another format is named, with what can be done with it here', () => {
  for (const [format, text, way] of DOCUMENTS) {
    test(`${format}: ${text.slice(0, 40).replaceAll(/\s+/g, ' ')}`, () => {
      const judged = judgeFile(Buffer.from(text), {})
      assert.equal(judged.kind, undefined)
      assert.equal(judged.format, format)
      const [issue, ...others] = judged.issues
      assert.deepEqual(others, [])
      assert.deepEqual([issue?.severity, issue?.code, issue?.line], ['error', 'KIND_UNKNOWN', 1])
      assert.match(issue?.message ?? '', /^this is (?:an?|the) .*, not an agent definition$/)
      assert.match(issue?.hint ?? '', way)
    })
  }

  test('our own documents, also with errors, are not taken for others', () => {
    for (const text of [
      'sc_standard: SC-006\nagent: {name: A, goal: G, openapi: x}\n',
      'sc_standard: SC-006\nagent: {name: A, <<: {goal: G}}\nmcpServers: {a: {command: x}}\n',
      '{"sc_standard":"SC-006","agent":{"name":"A","name":"B"},"swagger":"2.0"}',
      'agent: {name: A, goal: G}\nopenapi: 3.1.0\n',
    ])
      assert.equal(judgeFile(Buffer.from(text), {}).format, undefined, text)
    for (const text of [
      'hello',
      '[]',
      '{}',
      '{"a":1}',
      '- x\n',
      '---\ntitle: x\n---\n',
      '{"mcpServers":5}',
    ]) {
      const judged = judgeFile(Buffer.from(text), {})
      assert.equal(judged.format, undefined, text)
    }
  })

  test('validate, inspect, diff, plan and run say it, with the same exit codes as before', async (t) => {
    const place = new Place(t)
    place.write('card.json', '{"protocolVersion":"0.3.0","name":"A","url":"https://a.example","skills":[]}')
    for (const [args, code, exit] of [
      [['inspect', 'card.json', '--json'], 'KIND_UNKNOWN', 1],
      [['diff', 'card.json', 'agent.json', '--json'], 'KIND_UNKNOWN', 2],
      [['plan', 'card.json', '--json'], 'DEFINITION_INVALID', 1],
      [['run', 'card.json', 'hi', '--rehearse', '--json'], 'DEFINITION_INVALID', 1],
    ] as const) {
      const said = await waybill(place, args)
      const text = said.out + said.err
      assert.match(text, /this is an A2A agent card, not an agent definition/, args.join(' '))
      assert.match(text, /runs elsewhere/)
      assert.ok(text.includes(code), text)
      assert.equal(said.code, exit, text)
    }
    const { out, code } = await waybill(place, ['validate', 'card.json', '--format', 'json'])
    const [report] = (JSON.parse(out) as { files: { kind: Json; format: Json }[] }).files
    assert.deepEqual([report?.kind, report?.format, code], [null, 'a2a-card', 1])
  })
})

describe('published files of other formats', () => {
  const corpus = join(process.env.WAYBILL_TEST_DATA ?? '../shared', 'corpus')
  const absent = existsSync(corpus) ? false : `needs the published files at ${corpus}`
  /** Files in these folders that are something else: a link, a template for another tool, an AgentCard. */
  const OTHERS = /agentcard__\.well-known|AgentCard__\.well-known|properties\.json$|chat_with_website\.yml$/i
  const FORMATS: Readonly<Record<string, readonly string[]>> = {
    'a2a-agent-card': ['a2a-card'],
    agno: ['agno'],
    autogen: ['autogen'],
    'beeai-maestro': ['maestro'],
    'claude-code-subagents': ['claude-code'],
    crewai: ['crewai'],
    'docker-cagent': ['docker-agent'],
    dspy: ['dspy'],
    'google-adk': ['google-adk'],
    haystack: ['haystack'],
    'langgraph-json': ['langgraph'],
    'letta-af': ['letta'],
    'mcp-server-json': ['mcp-server'],
    'ms-agentschema': ['ms-agentschema'],
    'open-webui': ['open-webui'],
    'openai-assistant': ['openai-assistants'],
    'openai-gpt-action': ['openai-gpt-action', 'openapi'],
    openapi: ['openapi'],
    'oracle-agent-spec': ['oracle-agent-spec'],
    'roo-modes': ['roo'],
    'semantic-kernel': ['semantic-kernel', 'ms-agentschema'],
  }
  for (const [folder, formats] of Object.entries(FORMATS)) {
    test(`every file of ${folder} is named`, (t) => {
      if (absent !== false) return t.skip(absent)
      for (const file of readdirSync(join(corpus, folder)).filter((name) => !OTHERS.test(name))) {
        const { format } = judgeFile(readFileSync(join(corpus, folder, file)), { file })
        assert.ok(format !== undefined && formats.includes(format), `${file}: ${format}`)
      }
    })
  }
})
