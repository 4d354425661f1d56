import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFINITION, MailModel, Place, start, until } from '../cli/fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())

const TIMEOUT_S = 3

/** A service that answers when the test says so, and a run that calls it. */
async function callingRun(t: import('node:test').TestContext) {
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => waiting.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const tool = {
    ...DEFINITION.agent.tools[0],
    protocol: 'http',
    endpoint: `http://127.0.0.1:${port}/mail`,
    timeout_seconds: TIMEOUT_S,
  }
  const agent = { ...DEFINITION.agent, tools: [tool], compliance: {} }
  const place = new Place(t, { ...DEFINITION, agent })
  model.script()
  const allowed = ['--allow-host', `127.0.0.1:${port}`]
  const run = start(place, ['run', 'agent.json', '--input', 'Go', ...allowed, '--json', ...model.flags])
  await until('the call is under way', () => waiting.length === 1)
  return { run, waiting }
}

describe('a process that is suspended during a call', { skip: process.platform === 'win32' }, () => {
  test('reads the answer that arrived in the meantime before it applies the time limit', async (t) => {
    const { run, waiting } = await callingRun(t)
    run.child.kill('SIGSTOP')
    waiting[0]
      ?.setHeader('content-type', 'application/json')
      .end(JSON.stringify({ sent: 'x'.repeat(300_000) }))
    await sleep((TIMEOUT_S + 2) * 1000)
    run.child.kill('SIGCONT')
    assert.equal(await run.ended, 0, run.err())
    const { status, usage } = JSON.parse(run.out())
    assert.deepEqual([status, usage.tool_calls], ['completed', 1])
    assert.doesNotMatch(run.err(), /TOOL_TIMEOUT/)
  })

  test('applies the time limit if no answer arrived', async (t) => {
    const { run } = await callingRun(t)
    run.child.kill('SIGSTOP')
    await sleep((TIMEOUT_S + 2) * 1000)
    run.child.kill('SIGCONT')
    await run.ended
    assert.match(run.err() + run.out(), /TOOL_TIMEOUT|outcome/)
  })
})
