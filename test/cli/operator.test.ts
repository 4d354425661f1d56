import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { missingHosts } from '../../src/cli/run-view/missing-hosts.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { BIN } from '../started-process.ts'
import { DEFINITION, KEY, MailModel, Place, type Said, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

/** Returns whether the last model request had a key. */
const hadKey = () => model.server.getRequests().at(-1)?.headers.authorization !== undefined

const json = ({ out }: Said) => JSON.parse(out)

/** Sends a mail with its own protocol, and returns the secret that it got. */
const EXTENSION = `export const extension = {
  name: 'pigeons',
  toolProtocols: {
    pigeon: {
      reach: 'host',
      open: ({ secret }) => ({
        call: async () => {
          const auth = { type: 'bearer', secret: 'LOFT' }
          return { sent: (await secret({ name: 'send_mail', auth }, new URL('https://loft.example/'))).length }
        },
      }),
    },
  },
}
`

/** An agent whose tool has a protocol that only the operator's extension knows. */
function pigeonPlace(t: TestContext): Place {
  const tool = {
    ...DEFINITION.agent.tools[0],
    protocol: 'pigeon',
    endpoint: 'https://loft.example/',
    auth: { type: 'bearer', env_var: 'LOFT' },
  }
  const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, tools: [tool] } })
  place.env.LOFT = KEY
  place.write('extension.mjs', EXTENSION)
  place.write('config.yaml', 'extensions: [./extension.mjs]\nallow_hosts: [loft.example]\n')
  return place
}

/** Runs a command line in which the shell may put pipes in the place of files. */
function shell(place: Place, line: string, stdin = ''): Promise<Said> {
  const env = { ...place.env, WAYBILL: BIN } as NodeJS.ProcessEnv
  const child = spawn('bash', ['-c', line], { cwd: place.folder, env })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.end(stdin)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, out, err })))
}

describe('an agent that uses the names of an extension', () => {
  test('is resumed with its standing grants', async (t) => {
    const place = pigeonPlace(t)
    const run = ['run', 'agent.json', '--input', 'Go', ...model.flags, '--config', 'config.yaml', '--json']
    const grant = ['grants', 'allow', 'secret', 'LOFT@loft.example', '--agent', 'agent.json']
    const granted = await waybill(place, [...grant, '--config', 'config.yaml'])
    assert.equal(granted.code, 0, granted.err)
    const waiting = await waybill(place, run)
    assert.equal(waiting.code, 4, waiting.out)
    const { run_id } = json(waiting)
    assert.equal((await waybill(place, ['approvals', 'approve', run_id])).code, 0)
    const resumed = await waybill(place, ['resume', run_id, '--json'])
    assert.deepEqual([resumed.code, json(resumed).status], [0, 'completed'], resumed.out)
    assert.match(model.lastMessage(), new RegExp(`"sent":${KEY.length}`))
  })

  test('gets grants by its agent_id, with the configuration of its run', async (t) => {
    const place = pigeonPlace(t)
    const run = ['run', 'agent.json', '--input', 'Go', ...model.flags, '--config', 'config.yaml', '--json']
    const ended = await waybill(place, run)
    assert.ok('run_id' in json(ended), ended.out)
    const grant = ['grants', 'allow', 'secret', 'LOFT@loft.example', '--agent', DEFINITION.agent_id]
    for (const config of [[], ['--config', 'config.yaml']]) {
      const given = await waybill(place, [...grant, ...config, '--json'])
      assert.equal(given.code, 0, given.out)
    }
  })
})

describe('a file of --env-file is read once, because it may be a pipe', () => {
  test('for a run: its trace context and its secrets come from the same text', async (t) => {
    const place = new Place(t)
    model.script({ calls: false })
    const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const file = `<(printf 'TRACEPARENT=%s\\nWAYBILL_KEY_CUSTOM=%s\\n' ${parent} ${KEY})`
    const said = await shell(
      place,
      `"$WAYBILL" run agent.json --tools tools.mjs --input Go ${model.flags.join(' ')} --env-file ${file} --json`,
    )
    assert.equal(said.code, 0, said.err)
    const [started] = await place.events(json(said).run_id)
    assert.equal(started?.fact.type === 'run.started' && started.fact.trace_parent, parent)
    assert.ok(hadKey())
  })

  test('for a resumed conversation', async (t) => {
    const place = new Place(t)
    model.script({ calls: false })
    const first = await waybill(place, ['chat', 'agent.json', '--tools', 'tools.mjs', ...model.flags], {
      stdin: 'Hello\n',
      env: { WAYBILL_KEY_CUSTOM: KEY },
    })
    assert.equal(first.code, 0, first.err)
    const said = await shell(
      place,
      `"$WAYBILL" chat --resume last --env-file <(echo WAYBILL_KEY_CUSTOM=${KEY}) --json`,
      'And now?\n',
    )
    assert.equal(said.code, 0, said.err)
    assert.ok(hadKey())
  })
})

test('no prompt asks for a host that the project denies', () => {
  const tool = (name: string, endpoint: string) => ({ name, protocol: 'http', endpoint })
  const tools = [
    tool('free', 'https://free.example/'),
    tool('denied', 'https://denied.example/'),
    tool('below', 'https://api.denied.example/'),
    tool('port', 'https://free.example:8443/'),
  ]
  const denied = ['denied.example', '*.denied.example', 'free.example:8443'].map((host) =>
    parseHostGrant(host, 'config'),
  )
  assert.deepEqual(missingHosts({ tools } as unknown as Plan, { hosts: [], denied }), [
    { host: 'free.example', tools: ['free'] },
  ])
})
