import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BIN } from '../started-process.ts'
import { DEFINITION, MailModel, Place, until, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const hasTmux = spawnSync('tmux', ['-V']).status === 0

/** A real terminal with a shell, controlled by the test. */
class Terminal {
  readonly #socket: string
  readonly #place: Place

  constructor(t: TestContext, place: Place, env: Record<string, string> = {}) {
    this.#socket = `waybill-${process.pid}-${Math.random().toString(36).slice(2)}`
    this.#place = place
    // CI and NO_COLOR of the test process must not reach the terminal.
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: place.folder,
      WAYBILL_HOME: place.home,
      LANG: 'C.UTF-8',
      PS1: '$ ',
      ...env,
    }
    const pairs = Object.entries(own).map(([name, value]) => `${name}=${value}`)
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '50',
      '-c',
      place.folder,
      'env',
      '-i',
      'TERM=tmux-256color',
      ...pairs,
      'sh',
    )
    t.after(() => this.#tmux('kill-server'))
  }

  /** Runs a command line; `code.txt` says when it has ended, and how. */
  command(...argv: string[]): void {
    rmSync(join(this.#place.folder, 'code.txt'), { force: true })
    const words = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    this.type(`'${BIN}' ${words}; echo $? > code.txt`)
    this.key('Enter')
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text)
  }

  key(...keys: string[]): void {
    this.#tmux('send-keys', ...keys)
  }

  screen(): string {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-200')
  }

  /** From now on keeps what is written to the terminal, escape sequences included. */
  record(): void {
    this.#tmux('pipe-pane', `cat > '${join(this.#place.folder, 'raw.log')}'`)
  }

  recorded(): string {
    return readFileSync(join(this.#place.folder, 'raw.log'), 'utf8')
  }

  async shows(pattern: RegExp): Promise<void> {
    await until(`the terminal shows ${pattern}`, () => pattern.test(this.screen())).catch((error) => {
      throw new Error(`${error.message}\n${this.screen()}`)
    })
  }

  async code(): Promise<number> {
    let code = ''
    await until('the command ends', () => {
      try {
        code = readFileSync(join(this.#place.folder, 'code.txt'), 'utf8')
      } catch {
        return false
      }
      return code.endsWith('\n')
    }).catch((error) => {
      throw new Error(`${error.message}\n${this.screen()}`)
    })
    return Number(code)
  }

  #tmux(...argv: string[]): string {
    return spawnSync('tmux', ['-L', this.#socket, ...argv], { encoding: 'utf8' }).stdout
  }
}

function terminal(name: string, prove: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    if (hasTmux) await prove(t)
    else t.skip('needs tmux')
  })
}

const run = (file = 'agent.json') => ['run', file, '--tools', 'tools.mjs', '--input', 'Go', ...model.flags]

describe('on a terminal', () => {
  terminal('a call is shown whole, and approved with Enter', async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/Decide later/)
    for (const part of [
      'send_mail needs your approval',
      'Sends a mail.',
      '"to": "ada"',
      'never sent again automatically',
    ])
      assert.ok(tty.screen().includes(part), part)
    assert.deepEqual(place.sent(), [])
    tty.key('Enter')
    assert.equal(await tty.code(), 0)
    assert.deepEqual(place.sent(), ['ada'])
    assert.equal(tty.screen().match(/It is sent\./g)?.length, 1)
  })

  terminal('what was typed before the question approves nothing', async (t) => {
    const place = new Place(t)
    model.server.clearFixtures()
    model.server.addFixture({
      match: {},
      response: async () => {
        await sleep(1200)
        return { toolCalls: [{ id: 'c1', name: 'send_mail', arguments: '{"to":"ada"}' }] }
      },
    })
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/is thinking/)
    tty.key('Enter', 'Enter')
    await tty.shows(/Decide later/)
    await sleep(300)
    assert.deepEqual(place.sent(), [])
    tty.key('C-c')
    assert.equal(await tty.code(), 130)
    assert.deepEqual(place.sent(), [])
    assert.equal(JSON.parse((await waybill(place, ['runs', 'list', '--json'])).out).runs[0].status, 'paused')
  })

  terminal('a denial takes a reason, which the model reads', async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/Decide later/)
    tty.key('Down', 'Enter')
    await tty.shows(/Reason\?/)
    tty.type('not on a Sunday')
    tty.key('Enter')
    assert.equal(await tty.code(), 0)
    assert.deepEqual(place.sent(), [])
    assert.match(model.lastMessage(), /did not approve this call: not on a Sunday/)
  })

  terminal(
    'one answer can be for all calls like it: which, shown against the past, and for how long',
    async (t) => {
      const place = new Place(t)
      const tty = new Terminal(t, place)
      tty.command(...run())
      await tty.shows(/Decide later/)
      tty.key('Down', 'Down', 'Enter')
      await tty.shows(/Which calls\?.*\n.*send_mail to=ada/)
      tty.type('m')
      tty.key('Enter')
      await tty.shows(/the rule does not match this call: to is "ada"/)
      tty.key('BSpace', 'BSpace', 'BSpace', 'BSpace')
      tty.type('*')
      tty.key('Enter')
      await tty.shows(/1 call of 1 recorded would need no approval/)
      tty.key('Enter')
      assert.equal(await tty.code(), 0)
      assert.deepEqual(place.sent(), ['ada'])
      // The next one is not asked about.
      model.script({ args: '{"to":"grace"}' })
      const next = await waybill(place, [...run(), '--json'])
      assert.equal(next.code, 0, next.err)
      assert.deepEqual(place.sent(), ['ada', 'grace'])
      const listed = await waybill(place, ['grants', 'list'])
      assert.match(listed.out, /call {4}send_mail to=\*/)
    },
  )

  terminal('another terminal may decide while this one asks', async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/Decide later/)
    const [id = ''] = await place.runIds()
    await waybill(place, ['approvals', 'approve', id, '--by', 'grace'])
    assert.equal(await tty.code(), 0)
    assert.match(tty.screen(), /approved by grace/)
    assert.deepEqual(place.sent(), ['ada'])
  })

  terminal('a host that was not granted is asked about once, and a yes for good is remembered', async (t) => {
    const crm = {
      name: 'crm',
      description: 'Asks the CRM.',
      protocol: 'http',
      endpoint: 'https://crm.example.com/v1',
      parameters_schema: { type: 'object' },
    }
    const inside = { ...crm, name: 'inside', endpoint: 'http://127.0.0.1:9/v1' }
    const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, tools: [crm, inside] } })
    model.script({ calls: false })
    const tty = new Terminal(t, place)
    tty.command(...run())
    await tty.shows(/wants to connect to crm\.example\.com \(crm\)/)
    tty.key('C-c')
    assert.equal(await tty.code(), 130)
    assert.deepEqual(await place.runIds(), [])
    tty.command(...run())
    await until('it asks again', () => tty.screen().split('wants to connect to crm').length > 2)
    tty.key('Down', 'Down', 'Enter')
    assert.equal(await tty.code(), 0)
    assert.doesNotMatch(tty.screen(), /wants to call 127/)
    const { tools } = JSON.parse((await waybill(place, ['plan', 'agent.json', '--json'])).out)
    assert.deepEqual(
      tools.map(({ gate }: { gate: string }) => gate),
      ['ask', 'deny'],
    )
  })

  terminal('a conversation: turns, /usage, and Ctrl-D', async (t) => {
    const place = new Place(t)
    model.script({ calls: false, answer: 'Good day.' })
    const tty = new Terminal(t, place)
    tty.command('chat', 'agent.json', '--tools', 'tools.mjs', ...model.flags)
    await tty.shows(/\n> $/m)
    tty.type('Hello')
    tty.key('Enter')
    await tty.shows(/> Hello\nGood day\.\n/)
    tty.type('/usage')
    tty.key('Enter')
    await tty.shows(/11 tokens in, 5 out/)
    tty.key('C-d')
    assert.equal(await tty.code(), 0)
    assert.match(tty.screen(), /waybill chat --resume/)
  })

  const SLOW = async () => {
    await sleep(700)
    return { content: 'It is sent.' }
  }
  const WAYS = [
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['CI', { CI: 'true' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ] as const
  for (const [name, env] of WAYS) {
    terminal(`${name}: neither colours nor cursor codes, and no spinner`, async (t) => {
      model.server.clearFixtures()
      model.server.addFixture({ match: {}, response: SLOW })
      const tty = new Terminal(t, new Place(t), env)
      await tty.shows(/\$/)
      tty.record()
      tty.command(...run())
      assert.equal(await tty.code(), 0)
      await until('all is recorded', () => tty.recorded().includes('completed'))
      assert.match(tty.recorded(), /It is sent\./)
      assert.equal(tty.recorded().includes('\x1b'), false, JSON.stringify(tty.recorded()))
      assert.equal(tty.recorded().includes('is thinking'), false)
    })
  }

  terminal(
    'colours, and a sign of life for what takes a while, where nothing speaks against them',
    async (t) => {
      model.server.clearFixtures()
      model.server.addFixture({ match: {}, response: SLOW })
      const tty = new Terminal(t, new Place(t))
      await tty.shows(/\$/)
      tty.record()
      tty.command(...run())
      assert.equal(await tty.code(), 0)
      await until('all is recorded', () => tty.recorded().includes('completed'))
      assert.ok(tty.recorded().includes('custom/x is thinking'))
      assert.ok(tty.recorded().includes('\x1b[32mcompleted\x1b[0m'))
      // The sign of life is gone when there is something to read.
      assert.doesNotMatch(tty.screen(), /is thinking/)
    },
  )
})
