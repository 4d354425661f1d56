import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { loadedFiles } from '../../scripts/loaded-files.ts'
import { Tmux } from '../../scripts/tmux.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { GO, MailModel, Place, ROOT, until, waybill } from './fixture.ts'
import { terminal } from './real-terminal.ts'

const model = new MailModel()

before(() => model.begin())
after(() => model.server.stop())

/** Words of the command line, of which the shell completes the last one. */
type Complete = (...words: string[]) => readonly string[]

const BIN = join(ROOT, 'bin')

function shellEnv(place: Place): NodeJS.ProcessEnv {
  return { ...place.env, PATH: `${BIN}:${process.env.PATH}`, TERM: 'dumb', LC_ALL: 'C.UTF-8' }
}

function output(place: Place, command: string, argv: readonly string[]): string {
  const child = spawnSync(command, argv, { cwd: place.folder, env: shellEnv(place), encoding: 'utf8' })
  assert.equal(child.stderr, '')
  return child.stdout
}

function hasShell(name: string): boolean {
  return spawnSync(name, ['--version']).error === undefined
}

/** Registers a test that needs a shell which a machine may not have. */
function shellTest(shell: string, name: string, prove: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    if (hasShell(shell)) await prove(t)
    else t.skip(`needs ${shell}`)
  })
}

async function bash(place: Place): Promise<Complete> {
  const { out: script } = await waybill(place, ['completion', 'bash'])
  return (...words) => {
    const line = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _waybill; printf '%s\\n' "\${COMPREPLY[@]}"`
    return lines(output(place, 'bash', ['--norc', '-c', line, 'bash', 'waybill', ...words]))
  }
}

/** As bash completes a line that is typed: it splits words at colons. */
async function typedInBash(place: Place, line: string, ...words: string[]): Promise<readonly string[]> {
  const { out: script } = await waybill(place, ['completion', 'bash'])
  const run = `${script}\nCOMP_LINE=$1 COMP_POINT=\${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _waybill; printf '%s\\n' "\${COMPREPLY[@]}"`
  return lines(output(place, 'bash', ['--norc', '-c', run, 'bash', line, ...words]))
}

async function fish(place: Place): Promise<Complete> {
  const folder = join(place.folder, '.config/fish/completions')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'waybill.fish'), (await waybill(place, ['completion', 'fish'])).out)
  return (...words) =>
    lines(
      output(place, 'fish', [
        '--no-config',
        '-c',
        'source .config/fish/completions/waybill.fish; complete -C $argv[1]',
        ['waybill', ...words].join(' '),
      ]),
    )
}

const lines = (text: string): readonly string[] => text.split('\n').filter((word) => word !== '')

const firstWords = (found: readonly string[]): readonly string[] =>
  found.map((line) => line.split('\t')[0] ?? '')

/** A place with a finished rehearsal and a run that waits, with keys, a login that was ended, and files. */
async function filled(t: TestContext) {
  const place = new Place(t)
  await waybill(place, [...GO, '--rehearse'])
  await waybill(place, [...GO, ...model.flags])
  await waybill(place, ['keys', 'new', 'alice'])
  const [done = '', waits = ''] = await place.runIds()
  place.write('notes.txt', '')
  return { place, done: done.slice(-6), waits: waits.slice(-6), whole: waits }
}

/** What every shell must offer. */
async function offersIds(complete: Complete, { done, waits, whole }: Awaited<ReturnType<typeof filled>>) {
  const words = (...line: string[]) => firstWords(complete(...line))
  assert.deepEqual(words('runs', 'show', ''), [waits, done, 'last'])
  assert.deepEqual(words('runs', 'show', waits.slice(0, 4)), [waits])
  assert.deepEqual(words('runs', 'show', whole.slice(0, -2)), [whole])
  assert.deepEqual(words('runs', 'rm', done, waits.slice(0, 5)), [waits])
  assert.deepEqual(words('approvals', 'approve', '--why', 'ok', ''), [waits, 'last'])
  assert.deepEqual(words('resume', ''), [waits, 'last'])
  assert.deepEqual(words('pause', ''), [])
  assert.deepEqual(words('approvals', 'approve', waits, ''), [])
  assert.deepEqual(words('sign', 'agent.json', '--key', ''), ['alice'])
  assert.deepEqual(words('keys', 'export', 'a'), ['alice'])
  assert.deepEqual(words('run', 'agent.json', '--model', 'openr'), ['openrouter/'])
  assert.deepEqual(words('run', 'agent.json', '--model', 'custom'), ['custom/x'])
  assert.ok(words('run', '--model', 'anthropic/claude-').length > 3)
  assert.deepEqual(words('init', '--provider', 'mis'), ['mistral'])
  assert.deepEqual(words('plan', 'ag'), ['agent.json'])
  assert.deepEqual(words('plan', 'no'), [])
  assert.deepEqual(words('runs', 'show', '--server', 'https://none.example', ''), [])
}

/** What every shell must offer of the words that are in the script. */
function offersWords(complete: Complete) {
  const words = (...line: string[]) => firstWords(complete(...line))
  assert.deepEqual(words('').toSorted(), COMMANDS.map(({ name }) => name).toSorted())
  assert.deepEqual(words('approvals', 'a').toSorted(), ['answer', 'approve', 'assume'])
  assert.deepEqual(words('run', 'agent.json', '--reh'), ['--rehearse'])
  assert.deepEqual(words('runs', 'list', '--status', 'inter'), ['interrupted'])
  assert.deepEqual(words('validate', '--format', 's'), ['sarif'])
  assert.deepEqual(words('completion', '').toSorted(), ['bash', 'fish', 'zsh'])
}

describe('bash completes', () => {
  test('commands, their subcommands, options and the values of options', async (t) => {
    offersWords(await bash(new Place(t)))
  })

  test('ids of runs, names of keys, models, providers and files', async (t) => {
    const made = await filled(t)
    await offersIds(await bash(made.place), made)
  })

  test('a word with colons, which bash has split', async (t) => {
    const place = new Place(t)
    const logins = { current: null, tokens: { 'https://a.example:8443': 'x', 'https://b.example': 'y' } }
    mkdirSync(place.home, { recursive: true })
    writeFileSync(join(place.home, 'logins.json'), JSON.stringify(logins))
    const start = ['waybill', 'runs', 'list', '--server']
    assert.deepEqual(await typedInBash(place, `${start.join(' ')} `, ...start, ''), [
      'https://a.example:8443',
      'https://b.example',
    ])
    const typed = `${start.join(' ')} https://a`
    assert.deepEqual(await typedInBash(place, typed, ...start, 'https', ':', '//a'), ['//a.example:8443'])
    assert.deepEqual(
      await typedInBash(place, `${typed}.example:84`, ...start, 'https', ':', '//a.example', ':', '84'),
      ['8443'],
    )
  })

  test('the state file that `resume` may continue, if no run fits', async (t) => {
    const place = new Place(t)
    place.write('state.json', '{}')
    const complete = await bash(place)
    assert.deepEqual(complete('resume', 'sta'), ['state.json'])
  })
})

describe('fish completes', () => {
  shellTest('fish', 'commands, their subcommands, options and the values of options', async (t) => {
    offersWords(await fish(new Place(t)))
  })

  shellTest(
    'fish',
    'ids of runs with descriptions, names of keys, models, providers and files',
    async (t) => {
      const made = await filled(t)
      const complete = await fish(made.place)
      await offersIds(complete, made)
      assert.deepEqual(complete('resume', ''), [
        `${made.waits}\tClerk · now · waiting`,
        'last\tthe newest run',
      ])
    },
  )
})

/** A zsh without settings in a terminal, with the completions of waybill. */
async function zsh(
  t: TestContext,
  place: Place,
): Promise<{ tmux: Tmux; press: (line: string, wanted: RegExp) => Promise<string> }> {
  writeFileSync(join(place.folder, 'waybill.zsh'), (await waybill(place, ['completion', 'zsh'])).out)
  const env = { ...shellEnv(place), PS1: '%% ', TERM: 'screen' } as Record<string, string>
  const tmux = new Tmux({ folder: place.folder, env, columns: 120, rows: 50, shell: ['zsh', '-f'] })
  t.after(() => tmux.close())
  const press = async (line: string, wanted: RegExp) => {
    tmux.key('C-u', 'C-l')
    tmux.type(line)
    tmux.key('Tab')
    await until(`zsh shows ${wanted} after ${line}`, () => wanted.test(tmux.screen())).catch((error) => {
      throw new Error(`${error.message}\n${tmux.screen()}`)
    })
    return tmux.screen()
  }
  tmux.type(
    'unsetopt auto_menu; setopt list_ambiguous no_beep; autoload -Uz compinit && compinit -D -u && source waybill.zsh; echo ready$((1 + 1))',
  )
  tmux.key('Enter')
  await until('zsh is ready', () => tmux.screen().includes('ready2'))
  return { tmux, press }
}

describe('zsh completes', () => {
  const zshTest = (name: string, prove: (t: TestContext) => Promise<void>) =>
    terminal(name, async (t) => {
      if (hasShell('zsh')) await prove(t)
      else t.skip('needs zsh')
    })

  zshTest('commands, options and their values, with descriptions', async (t) => {
    const { press } = await zsh(t, new Place(t))
    await press('waybill approvals a', /approve +-- approve a waiting call\n[\s\S]*assume +-- record/)
    await press('waybill run agent.json --reh', /--rehearse /)
    await press('waybill runs list --status inter', /--status interrupted /)
    await press('waybill completion ', /bash +fish +zsh|bash +zsh +fish/)
  })

  zshTest('ids of runs with descriptions, names of keys, models, providers and files', async (t) => {
    const { place, done, waits, whole } = await filled(t)
    const { press } = await zsh(t, place)
    const all = await press(
      'waybill runs show ',
      new RegExp(
        `${waits} +-- Clerk · now · waiting\n${done} +-- Clerk · now · \\w+\nlast +-- the newest run`,
      ),
    )
    assert.ok(!all.includes(whole))
    await press(`waybill runs show ${waits.slice(0, 4)}`, new RegExp(`show ${waits} `))
    await press(`waybill runs show ${whole.slice(0, -2)}`, new RegExp(`show ${whole} `))
    await press(
      'waybill approvals approve --why ok ',
      new RegExp(`${waits} +-- Clerk[\\s\\S]*last +-- the newest`),
    )
    await press('waybill sign agent.json --key ', /--key alice /)
    await press('waybill run agent.json --model openr', /--model openrouter\/$/m)
    await press('waybill run agent.json --model cust', /--model custom\/x /)
    await press('waybill init --provider mis', /--provider mistral /)
    await press('waybill plan ag', /plan agent\.json /)
  })
})

test('every command is in the script of every shell', async (t) => {
  const place = new Place(t)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await waybill(place, ['completion', shell])
    assert.equal(code, 0)
    for (const { name } of COMMANDS) assert.ok(out.includes(`'${name}`), `${name} in ${shell}`)
  }
  assert.equal((await waybill(place, ['completion', 'tcsh'])).code, 2)
})

describe('the hidden command of the completion scripts', () => {
  const complete = (place: Place, ...argv: string[]) => waybill(place, ['__complete', ...argv])

  test('fails never, and offers nothing, without a home, with a damaged one, and for an unknown kind', async (t) => {
    const place = new Place(t)
    const nothing = { code: 0, out: '', err: '' }
    const kinds = [
      'runs',
      'resumable',
      'running',
      'waiting',
      'keys',
      'own-keys',
      'trusted-keys',
      'servers',
      'platforms',
    ]
    for (const kind of [...kinds, 'none', '', '--help'])
      assert.deepEqual(await complete(place, kind, ''), nothing, kind)
    assert.throws(() => statSync(place.home), 'no home was made')
    mkdirSync(place.home)
    writeFileSync(join(place.home, 'waybill.db'), 'not a database')
    writeFileSync(join(place.home, 'logins.json'), 'not JSON')
    for (const kind of [...kinds, 'models']) assert.deepEqual(await complete(place, kind, ''), nothing, kind)
  })

  test('writes nothing, also while a log of the database is open', async (t) => {
    const { place, waits } = await filled(t)
    const crashed = join(place.folder, 'crashed')
    const copied = join(place.folder, 'copied')
    await place.withHome(async ({ runs }) => {
      await runs.list({}, { limit: 1 })
      await waybill(place, [...GO, '--rehearse'])
      // The log has changes that the database lacks.
      for (const copy of [crashed, copied]) cpSync(place.home, copy, { recursive: true })
    })
    rmSync(join(copied, 'waybill.db-shm'))
    const runs = async (home: string) => {
      const before = contents(home)
      const { out } = await waybill(place, ['__complete', 'runs', ''], { env: { WAYBILL_HOME: home } })
      assert.deepEqual(contents(home), before)
      return lines(out).length
    }
    assert.equal(await runs(place.home), 4, `three runs, of which ${waits} is one, and last`)
    assert.equal(await runs(crashed), 4)
    assert.equal(await runs(copied), 0, 'SQLite could not read it without writing')
  })

  test('offers no word that could act in a shell', async (t) => {
    const place = new Place(t)
    mkdirSync(join(place.home, 'trust'), { recursive: true })
    for (const name of ['ok', '$(id)', 'a b', '-x', '`id`', "it's", 'a;b'])
      writeFileSync(join(place.home, 'trust', `${name}.yaml`), '')
    assert.equal((await complete(place, 'trusted-keys', '')).out, 'ok\ttrusted key\n')
  })

  test('does not offer the runs of this machine for those of a server, but for --local', async (t) => {
    const { place, waits } = await filled(t)
    writeFileSync(
      join(place.home, 'logins.json'),
      '{"current":"https://a.example","tokens":{"https://a.example":"x"}}',
    )
    assert.equal((await complete(place, 'waiting', '', 'resume')).out, '')
    assert.match((await complete(place, 'waiting', '', 'resume', '--local')).out, new RegExp(`^${waits}\t`))
    assert.equal((await complete(place, 'servers', '')).out, 'https://a.example\tcurrent server\n')
    writeFileSync(join(place.home, 'logins.json'), '{"current":null,"tokens":{}}')
    assert.equal((await complete(place, 'waiting', '', 'resume', '--server=https://a.example')).out, '')
    assert.match((await complete(place, 'waiting', '', 'resume')).out, new RegExp(`^${waits}\t`))
  })

  test('offers ids that need more characters to be unique, and neither sub-agents nor imported runs to resume', async (t) => {
    const { place, whole } = await filled(t)
    await waybill(place, ['runs', 'export', whole, '-o', 'run.ndjson'])
    await waybill(place, ['runs', 'rm', '--all', '--yes'])
    await waybill(place, ['runs', 'import', 'run.ndjson'])
    assert.match((await complete(place, 'runs', '')).out, /^[0-9a-f]{6}\tClerk/)
    for (const kind of ['resumable', 'waiting']) assert.equal((await complete(place, kind, '')).out, '')
  })

  test('opens no records, model, network or prompt, so that it is fast', async (t) => {
    const { place } = await filled(t)
    for (const kind of ['runs', 'keys', 'models', 'servers']) {
      const env = place.env as NodeJS.ProcessEnv
      const { files } = loadedFiles([join(ROOT, 'bin/main.mjs'), '__complete', kind, ''], {
        cwd: place.folder,
        env,
      })
      const loaded = files.map((file) => file.slice(`${ROOT}/`.length))
      const forbidden = loaded.filter(
        (file) =>
          /^src\/(?:compose|adapters\/(?!records\/sqlite\/)|run\/drive|spec|resolve|session\/(?!ago|short-run-id))/.test(
            file,
          ) ||
          /open-sqlite-records|run-records/.test(file) ||
          (/^node_modules\/(?!commander\/)/.test(file) &&
            !(kind === 'models' && file.includes('/ipaddr.js/'))),
      )
      assert.deepEqual(forbidden, [], kind)
    }
  })
})

/** The names, sizes and times of change of the files of a folder, except the times of what SQLite keeps in shared memory. */
function contents(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, mode } = statSync(join(folder, name))
      return `${name} ${size} ${name.endsWith('-shm') ? '' : mtimeMs} ${mode}`
    })
}
