import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type AgentDefinition, planRun, run } from 'waybill'
import { scriptedModel } from '../../src/testing/index.ts'
import { scripted } from '../adapters/mcp/opening.ts'
import { FILESYSTEM, MEMORY } from '../adapters/mcp/peers.ts'
import { MailModel, Place, waybill } from '../cli/fixture.ts'

function agent(tools: readonly object[], members: object = {}): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent_id: '1f0e7c52-9d6b-4a41-8d3f-2b7c9e0a5d11',
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: { provider: 'openai', preferred: 'gpt-4o' },
      tools,
      ...members,
    },
  } as unknown as AgentDefinition
}

const ENV = { PATH: process.env.PATH, OPENAI_API_KEY: 'any-key' }
const node = (script: string, ...args: string[]) => ({ command: process.execPath, args: [script, ...args] })
const mcpTool = (name: string, endpoint: string) => ({
  name,
  description: 'Of a server.',
  protocol: 'mcp',
  endpoint,
})

describe('AAIF §4.4 agents with MCP tools', () => {
  test('AAIF-4.4-04: the tools of real servers are offered to the model, called, and answer', async (t) => {
    const folder = folderOf(t)
    writeFileSync(join(folder, 'parcel.txt'), 'It is in Rotterdam.')
    const definition = agent([
      mcpTool('files', 'mcp://files'),
      mcpTool('remember', 'mcp://memory/create_entities'),
    ])
    const options = {
      mcpServers: { files: { ...node(FILESYSTEM, folder), trusted: true }, memory: node(MEMORY) },
      env: ENV,
    }
    const plan = await planRun(definition, options)
    const named = (name: string) => plan.tools.find((tool) => tool.name === name)
    assert.deepEqual([named('read_text_file')?.effect, named('write_file')?.effect], ['read', 'write'])
    assert.deepEqual([named('remember')?.effect, named('remember')?.gate], ['write', 'allow'])
    assert.ok(named('read_text_file')?.parameters_schema !== undefined)
    const model = scriptedModel([
      { calls: [{ tool: 'read_text_file', args: { path: join(folder, 'parcel.txt') } }] },
      { calls: [{ tool: 'write_file', args: { path: join(folder, 'note.txt'), content: 'seen' } }] },
      { text: 'Rotterdam.' },
    ])
    const result = await run(definition, { ...options, modelPort: model })
    assert.equal(result.status, 'completed', JSON.stringify(result.error))
    assert.equal(readFileSync(join(folder, 'note.txt'), 'utf8'), 'seen')
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /It is in Rotterdam/)
  })

  test('a write whose server dies during the call waits for a person, and is not sent again', async (t) => {
    const { server, log } = scripted(t, { dieOn: 'send' })
    const model = scriptedModel([{ calls: [{ tool: 'send', args: { to: 'x' } }] }])
    const definition = agent([mcpTool('send', 'mcp://office/send')])
    const result = await run(definition, { mcpServers: { office: server }, env: ENV, modelPort: model })
    assert.equal(result.status, 'awaiting_approval')
    assert.deepEqual(
      result.waiting?.map(({ tool, asks }) => [tool, asks]),
      [['send', 'unknown']],
    )
    assert.equal(log().filter((line) => line.startsWith('called')).length, 1)
  })

  test('a rehearsal starts no server and sends no request', async (t) => {
    const { server, log } = scripted(t, {})
    const definition = agent([mcpTool('send', 'mcp://office/send')])
    const result = await run(definition, { mcpServers: { office: server }, env: ENV, rehearse: true })
    assert.equal(result.status, 'completed')
    assert.equal(result.usage.tool_calls, 1)
    assert.deepEqual(log(), [])
  })

  test('AAIF-12-02: an MCP server that is not configured is denied with a hint; at level strict the agent is refused', async () => {
    const tools = [mcpTool('send', 'mcp://office/send'), mcpTool('run', 'stdio:rm -rf /tmp/x')]
    const plan = await planRun(agent(tools), { env: ENV })
    assert.deepEqual(
      plan.tools.map(({ gate, rule }) => [gate, rule]),
      [
        ['deny', 'AAIF-12-02'],
        ['deny', 'AAIF-12-02'],
      ],
    )
    assert.match(plan.tools[0]?.reason ?? '', /mcp_servers: \{ office:/)
    assert.deepEqual(plan.refusals, [])
    const strict = await planRun(agent(tools, { compliance: { safety_level: 'strict' } }), { env: ENV })
    assert.equal(strict.refusals.length, 2)
  })

  test('a part of a schema that cannot be used is open, and the plan names it at the tool', async (t) => {
    const schema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } }
    const { server } = scripted(t, {
      tools: [
        { name: 'good', inputSchema: { type: 'object' } },
        { name: 'bad', inputSchema: schema },
      ],
    })
    const plan = await planRun(agent([mcpTool('office', 'mcp://office')]), {
      mcpServers: { office: server },
      env: ENV,
    })
    assert.deepEqual(
      plan.tools.map(({ name, gate }) => [name, gate]),
      [
        ['good', 'allow'],
        ['bad', 'allow'],
      ],
    )
    assert.match(
      plan.tools[1]?.reason ?? '',
      /arguments are not checked: \/properties\/a\/\$ref: "#\/nowhere" has no target/,
    )
  })

  test('no started process is left after a plan, a run, or a run on the command line', async (t) => {
    const { server, log } = scripted(t, { stubborn: true })
    const tools = [mcpTool('send_mail', 'mcp://office/send')]
    const left = () => log().flatMap((line) => (line.startsWith('pid') && isRunning(line) ? [line] : []))
    await planRun(agent(tools), { mcpServers: { office: server }, env: ENV })
    const calls = [{ tool: 'send_mail', args: {} }]
    const modelPort = scriptedModel([{ calls }, 'Done.'])
    await run(agent(tools), { mcpServers: { office: server }, env: ENV, modelPort })
    assert.deepEqual(left(), [])
    const model = new MailModel()
    await model.begin()
    t.after(() => model.server.stop())
    const place = new Place(t, agent(tools))
    place.write('config.yaml', JSON.stringify({ mcp_servers: { office: server } }))
    const said = await waybill(place, [
      'run',
      'agent.json',
      'Go',
      '--json',
      '--config',
      'config.yaml',
      ...model.flags,
    ])
    assert.equal(said.code, 0, said.out + said.err)
    assert.equal(log().filter((line) => line.startsWith('called')).length, 2)
    assert.deepEqual(left(), [])
  })

  test('the environment of a server process does not reach the record, even if the process outputs it', async (t) => {
    const token = 'lantern-mosaic-71'
    const result = { content: [{ type: 'text', text: `my token is ${token}` }] }
    const { server } = scripted(t, { result }, { env: ['OFFICE_TOKEN', 'HOME'] })
    const definition = agent([mcpTool('send', 'mcp://office/send')])
    const options = {
      mcpServers: { office: server },
      env: { ...ENV, OFFICE_TOKEN: token, HOME: '/home/clerk' },
    }
    assert.deepEqual((await planRun(definition, options)).secrets, ['OPENAI_API_KEY', 'OFFICE_TOKEN'])
    const model = scriptedModel([{ calls: [{ tool: 'send', args: {} }] }, 'Done.'])
    const events: unknown[] = []
    const done = await run(definition, {
      ...options,
      modelPort: model,
      onEvent: (event) => events.push(event),
    })
    assert.equal(done.status, 'completed')
    assert.match(JSON.stringify(events), /my token is \[secret OFFICE_TOKEN\]/)
    assert.ok(!JSON.stringify([events, model.requests.at(-1)?.messages, done]).includes(token))
  })
})

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-mcp-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function isRunning(line: string): boolean {
  try {
    process.kill(Number(line.slice('pid '.length)), 0)
    return true
  } catch {
    return false
  }
}
