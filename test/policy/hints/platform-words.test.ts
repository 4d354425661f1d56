import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { commandHint } from '../../../src/cli/remote/command-words.ts'
import { WaybillError } from '../../../src/document/issue.ts'
import { judgeUrl, parseHostGrant } from '../../../src/policy/endpoint-gate.ts'
import { inPlatformWords, namesLocalWay, platformHint } from '../../../src/policy/hints/platform-words.ts'

import { openAiErrorOf } from '../../../src/server/openai/openai-error.ts'
import { DEFINITION } from '../../cli/fixture.ts'
import { serveFake } from '../../server/served.ts'

const root = join(import.meta.dirname, '../../..')

/** The literals of a source text that a person could read: strings and templates, with `X` for each value in them. */
function literalsIn(source: string): readonly string[] {
  const found = source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)
  return [...found].map(([, plain, template]) =>
    (plain ?? template ?? '')
      .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'X')
      .replaceAll('\\`', '`')
      .replaceAll("\\'", "'"),
  )
}

/** Folders whose texts only a command, the library or a page of the documentation shows. */
const OTHER_DOORS = /^src\/(?:cli|library|testing|document\/codes|policy\/hints)\//

const hints = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !OTHER_DOORS.test(file))
  .flatMap((file) => literalsIn(readFileSync(join(root, file), 'utf8')).map((text) => ({ file, text })))
  .filter(({ text }) => text.includes(' ') && namesLocalWay(text))

describe('hints of the platform', () => {
  test('name no option and no command of a run on one machine', () => {
    assert.ok(hints.length > 40, `${hints.length}`)
    for (const { file, text } of hints) {
      const own = platformHint(text)
      assert.ok(!namesLocalWay(own), `${file}: ${text} → ${own}`)
      assert.ok(own.trim().length > 3, `${file}: ${text} → ${own}`)
    }
  })

  test('name what an operator sets in config.yaml, for each refusal of the endpoint gate', () => {
    const refused = (url: string, hosts: readonly string[] = []) => {
      const verdict = judgeUrl(url, { hosts: hosts.map((host) => parseHostGrant(host, 'config')) })
      assert.equal(verdict.allowed, false)
      return platformHint('hint' in verdict ? verdict.hint : '')
    }
    assert.match(
      refused('http://127.0.0.1:18080/v1'),
      /private_hosts: \[127\.0\.0\.1:18080\] in config\.yaml$/,
    )
    assert.match(refused('https://localhost'), /private_hosts: \[localhost:443\] in config\.yaml$/)
    assert.match(refused('https://api.example'), /allow_hosts: \[api\.example:443\] in config\.yaml$/)
    assert.match(
      refused('http://api.corp.example', ['*.corp.example']),
      /allow_hosts: \[api\.corp\.example:80\] in config\.yaml$/,
    )
    assert.match(
      refused('http://169.254.169.254', ['169.254.169.254']),
      /private_hosts: \['169\.254\.169\.254'\]/,
    )
  })

  test('are those of problems, of run views, of streams and of errors for OpenAI clients', async (t) => {
    const hint = 'allow it with --allow-host api.example:443'
    const error = { code: 'ENDPOINT_NOT_GRANTED', message: 'm', hint } as const
    const thrown = new WaybillError(error.code, error)
    assert.match(openAiErrorOf(thrown).body.error.message, /allow_hosts/)
    const { send, platform, token } = await serveFake(t)
    const { agent_id } = (await send('POST', '/v1/agents', { token, json: DEFINITION })).json
    const started = await send('POST', `/v1/agents/${agent_id}/runs`, { token, json: { input: 'x' } })
    const path = `/v1/runs/${started.json.run_id}`
    const principal = await platform.authenticate(token)
    assert.ok(principal)
    Object.assign(await platform.tenant(principal).runs.read(started.json.run_id), { error })
    const view = await send('GET', path, { token })
    assert.match(view.json.error.hint, /allow_hosts: \[api\.example:443\] in config\.yaml/)
    platform.followed = async function* () {
      yield { type: 'end', run: view.json }
    }
    Object.assign(view.json, { error })
    const headers = { accept: 'text/event-stream' }
    const stream = await send('GET', `${path}/events`, { token, headers })
    assert.match(stream.text, /event: end\ndata: .*allow_hosts/)
    assert.doesNotMatch(stream.text, /--allow-host/)
    platform.failure = thrown
    assert.match((await send('GET', path, { token })).json.hint, /allow_hosts/)
  })

  for (const [hint, own] of [
    ['export it from the module given with --tools', /functions: in config\.yaml/],
    ['`waybill approvals list` shows the waiting calls', /^GET \/v1\/approvals lists the waiting calls$/],
    ['raise --budget tokens=N, or budget.tokens in the configuration', /^raise "budget": \{"tokens": N\}/],
    ['allow it with --yes send_mail', /^the operator of the platform sets this in config\.yaml$/],
    ['wait a moment, or allow it with --yes send_mail', /^wait a moment$/],
    ['send the request again', /^send the request again$/],
  ] as const)
    test(`${hint} → ${own}`, () => assert.match(platformHint(hint), own))

  test('are those of errors, warnings and findings; content and signed documents are not touched', () => {
    const hint = 'export it from the module given with --tools'
    const error = {
      code: 'FUNCTION_MISSING',
      message: 'm',
      hint,
      details: [{ code: 'X', message: 'm', hint }],
    }
    const answer = { error, warnings: [error], output: { error }, arguments: { hint }, state: { error } }
    const own = inPlatformWords(answer)
    const text = JSON.stringify([own.error, own.warnings])
    assert.doesNotMatch(text, /--tools/)
    assert.equal(text.split('functions: in config.yaml').length, 5)
    assert.deepEqual([own.output, own.arguments, own.state], [answer.output, answer.arguments, answer.state])
    const signed = { error, signature: 'x' }
    assert.equal(inPlatformWords(signed), signed)
    assert.equal(inPlatformWords({ items: [signed] }).items[0], signed)
  })
})

describe('hints of a server in a command', () => {
  const requests = globSync('src/{server,platform,policy/hints}/**/*.ts', { cwd: root })
    .flatMap((file) => literalsIn(readFileSync(join(root, file), 'utf8')))
    .filter((text) => / (?:GET|POST|PUT|DELETE) \/|^(?:GET|POST|PUT|DELETE) \/\S+ \w/.test(text))

  test('name no request', () => {
    assert.ok(requests.length > 30, `${requests.length}`)
    for (const text of requests)
      assert.doesNotMatch(commandHint(text, 'https://a.example'), /\b(?:GET|POST|PUT|DELETE) \//, text)
  })

  for (const [hint, own] of [
    ['list the agents with GET /v1/agents', 'list the agents with `waybill agents list`'],
    [
      'activate a version with POST /v1/agents/ID/activate, or name another version',
      'activate a version with `waybill agents activate AGENT`, or name another version',
    ],
    ['GET /v1/approvals lists the waiting calls', '`waybill approvals list` lists the waiting calls'],
    [
      'list the webhooks with GET /v1/webhooks, or add one with POST',
      'there is no command for this yet: use the HTTP API of the server, https://a.example/docs',
    ],
    ['check the name', 'check the name'],
  ] as const)
    test(hint, () => assert.equal(commandHint(hint, 'https://a.example'), own))
})
