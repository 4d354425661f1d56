import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Io } from '../../src/cli/io.ts'
import { migrateCommand } from '../../src/cli/migrate/migrate-command.ts'
import { decideThere } from '../../src/cli/migrate/migrate-there.ts'
import type { ServerClient } from '../../src/cli/remote/server-client.ts'
import { TYPED } from './typed-words.ts'

const RUN = '01a1ffb2-0000-7000-8000-000000000001'
const UP = '\x1b[A'

/** A terminal, at which keys are pressed when the question is open. @param isTty false: standard input is a pipe */
function terminal(keys: readonly (string | number)[], isTty = true) {
  const stdin = Object.assign(new PassThrough(), { isTTY: isTty, setRawMode: () => {} })
  let text = ''
  let open = false
  const err = (piece: string) => {
    text += piece
    if (open || !text.includes('Take run')) return
    open = true
    void press()
  }
  const press = async () => {
    for (const key of keys) {
      if (typeof key === 'number') await sleep(key)
      else stdin.write(key)
    }
  }
  const io: Io = {
    cwd: '.',
    env: {},
    out: () => {},
    err,
    stdin,
    outIsTty: true,
    errIsTty: true,
    color: false,
  }
  return { io, isAsked: () => open }
}

/** A server that has the run. */
function serverWithRun() {
  const sent: string[] = []
  const server = {
    url: 'http://server.example',
    async send(method: string, path: string) {
      if (method === 'POST') sent.push(path)
      if (path.startsWith('/v1/runs?') || path.includes('find'))
        return { items: [{ run_id: RUN }], next: null }
      return { run_id: RUN, state: 'kept', owner: 'https://here.example' }
    },
  } as unknown as ServerClient
  return { server, sent }
}

const REFUSED = { code: 'USAGE', message: /the run was not taken back/ }

describe('waybill migrate RUN --take-back', () => {
  test('at a terminal, typed text takes nothing back', async () => {
    for (const word of TYPED.slice(0, 40)) {
      const { io, isAsked } = terminal([`${word}\r`])
      const { server, sent } = serverWithRun()
      await assert.rejects(decideThere(server, RUN, {}, io), REFUSED, word)
      assert.deepEqual([isAsked(), sent], [true, []], word)
    }
  })

  test('at a terminal, an entry that is chosen with the arrows takes it back', async () => {
    const { io, isAsked } = terminal([UP, 700, '\r'])
    const { server, sent } = serverWithRun()
    await decideThere(server, RUN, {}, io)
    assert.deepEqual([isAsked(), sent], [true, [`/v1/runs/${RUN}/take-back`]])
  })

  test('Escape and Enter on the first entry take nothing back', async () => {
    for (const key of ['\x1b', '\r', '\x03']) {
      const { server, sent } = serverWithRun()
      await assert.rejects(decideThere(server, RUN, {}, terminal([key]).io), REFUSED)
      assert.deepEqual(sent, [])
    }
  })

  test('a script is not asked: no terminal, --json, CI, or --yes', async () => {
    const ci = terminal([])
    for (const [options, io] of [
      [{}, terminal([], false).io],
      [{ json: true }, terminal([]).io],
      [{ confirmed: true }, terminal([]).io],
      [{}, { ...ci.io, env: { CI: '1' } }],
    ] as const) {
      const { server, sent } = serverWithRun()
      await decideThere(server, RUN, options, io)
      assert.deepEqual(sent, [`/v1/runs/${RUN}/take-back`])
    }
  })

  test('--yes confirms without a rule, and a rule is for a run that is fetched', async () => {
    const { io } = terminal([])
    const run = (...argv: string[]) =>
      migrateCommand({ ...io, env: { WAYBILL_HOME: '/nonexistent' } }, () => {}).parseAsync(argv, {
        from: 'user',
      })
    await assert.rejects(run(RUN, '--take-back', '--yes', 'send'), { message: /approves no calls/ })
    await assert.rejects(run(RUN, '--to', 'https://b.example', '--yes'), { message: /confirms --take-back/ })
    await assert.rejects(run(RUN, '--to', 'https://b.example', '--yes', 'send'), {
      message: /--yes plans a run/,
    })
    await assert.rejects(
      run(RUN, '--take-back', '--yes', '--server', 'x'),
      (error: Error) => !/approves no calls|needs a rule/.test(error.message),
    )
  })
})
