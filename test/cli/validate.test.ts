import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import type { Io } from '../../src/cli/io.ts'
import { type ValidateOptions, validate } from '../../src/cli/validate/validate.ts'
import { KINDS } from '../../src/spec/kinds.ts'

const dir = mkdtempSync(join(tmpdir(), 'waybill-validate-'))
after(() => rmSync(dir, { recursive: true }))

function write(name: string, content: string | Uint8Array): string {
  mkdirSync(dirname(join(dir, name)), { recursive: true })
  writeFileSync(join(dir, name), content)
  return name
}

const valid = write('valid.json', '{"sc_standard": "SC-006", "agent": {"name": "a", "goal": "b"}}')
const warned = write('warned.yaml', 'sc_standard: SC-006\nagent_id: no-uuid\nagent: {name: a, goal: b}\n')
const invalid = write(
  'invalid.json',
  '{\n  "sc_standard": "SC-006",\n  "status": "activ",\n  "agent": {"name": "a", "goal": "b"}\n}',
)
const broken = write('broken.json', '{\n  "a": 1,\n}')
const foreign = write('foreign.yaml', 'name: someone else\n')

async function run(paths: readonly string[], options: ValidateOptions = {}, input = '', color = false) {
  let out = ''
  let err = ''
  const io: Io = {
    cwd: dir,
    env: {},
    out(text) {
      out += text
    },
    err(text) {
      err += text
    },
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    outIsTty: false,
    errIsTty: false,
    color,
  }
  const { exit, files } = await validate(paths, options, io)
  return { out, err, exit, files }
}

describe('exit codes: the highest of all files', () => {
  const cases: readonly [paths: string[], options: ValidateOptions, exit: number][] = [
    [[valid], {}, 0],
    [[warned], {}, 0],
    [[warned], { strict: true }, 1],
    [[valid], { strict: true }, 0],
    [[valid, invalid], {}, 1],
    [[broken], {}, 1],
    [[foreign], {}, 1],
    [['none.json'], {}, 2],
    [['no-*.json'], {}, 2],
    [[invalid, 'none', valid], {}, 2],
    [[valid], { maxBytes: 10 }, 1],
    [[foreign], { kind: 'aaif.agent' }, 1],
  ]
  for (const [paths, options, exit] of cases) {
    test(`${paths.join(' ')} ${JSON.stringify(options)} → ${exit}`, async () => {
      assert.equal((await run(paths, options)).exit, exit)
    })
  }
  test('invalid options are usage errors', async () => {
    for (const options of [
      { kind: 'letter' },
      { maxBytes: 0 },
      { maxBytes: 1.5 },
      { format: 'xml' as 'json' },
    ]) {
      await assert.rejects(run([valid], options), { code: 'USAGE', fault: 'usage' })
    }
    await assert.rejects(run([]), { code: 'USAGE' })
  })
})

describe('arguments', () => {
  write('tree/a.json', '{}')
  write('tree/sub/b.yml', 'a: 1')
  write('tree/sub/c.yaml', 'a: 1')
  write('tree/sub/readme.md', 'no document')
  write('tree/node_modules/x/d.json', '{}')
  const named = async (...paths: string[]) => (await run(paths)).files.map(({ file }) => file)
  test('a directory selects all documents below it, except installed packages', async () => {
    assert.deepEqual(await named('tree'), ['tree/a.json', 'tree/sub/b.yml', 'tree/sub/c.yaml'])
  })
  test('a glob selects its matches', async () =>
    assert.deepEqual(await named('tree/**/*.y*ml'), ['tree/sub/b.yml', 'tree/sub/c.yaml']))
  test('absolute paths stay absolute', async () => {
    const path = join(dir, 'tree')
    assert.deepEqual((await named(path))[0], join(path, 'a.json'))
  })
  test('reading an endless file stops at the limit', {
    skip: process.platform === 'win32' && 'needs /dev/zero',
  }, async () => {
    const { files, exit } = await run(['/dev/zero'], { maxBytes: 1000 })
    assert.deepEqual([files[0]?.issues[0]?.code, exit], ['DOCUMENT_TOO_LARGE', 1])
  })
  test('"-" is standard input', async () => {
    const { files, exit } = await run(['-'], {}, '{"sc_standard":"SC-006","agent":{"name":"a","goal":"b"}}')
    assert.deepEqual([files[0]?.file, files[0]?.kind, exit], ['-', 'aaif.agent', 0])
  })
})

test('--format json: exactly one value on standard output, in the published shape', async () => {
  const { out, err } = await run([valid, invalid, foreign, 'none.json'], { format: 'json' })
  assert.equal(err, '')
  const report = JSON.parse(out)
  assert.deepEqual(Object.keys(report), ['ok', 'files'])
  assert.deepEqual(
    report.files.map((file: { file: string; kind: string; ok: boolean }) => [file.file, file.kind, file.ok]),
    [
      [valid, 'aaif.agent', true],
      [invalid, 'aaif.agent', false],
      [foreign, null, false],
      ['none.json', null, false],
    ],
  )
  const [issue] = report.files[1].issues
  const { message, hint, ...rest } = issue
  assert.deepEqual(rest, {
    severity: 'error',
    code: 'NOT_IN_ENUM',
    pointer: '/status',
    line: 3,
    column: 13,
    rule: 'AAIF-4.1-07',
  })
  assert.ok(message && hint)
})

describe('--format pretty', () => {
  test('shows place, code, the line underlined, hint, rule and a summary, on standard error', async () => {
    const { out, err } = await run([invalid])
    assert.equal(out, '')
    assert.equal(
      err,
      `invalid.json:3:13 error NOT_IN_ENUM status must be one of draft, active, deprecated, not "activ"
  3 |   "status": "activ",
    |             ^^^^^^^
  hint did you mean "active"?
  rule AAIF-4.1-07

1 of 1 file invalid, 1 error
`,
    )
  })
  test('syntax errors also show their line', async () => {
    assert.match((await run([broken])).err, /broken\.json:3:1 error JSON_SYNTAX .*\n {2}3 \| }\n {4}\| \^\n/)
  })
  test('colour only when asked for', async () => {
    const colour = '\u001b['
    assert.ok(!(await run([invalid])).err.includes(colour))
    assert.ok((await run([invalid], {}, '', true)).err.includes(colour))
  })
  test('long lines are cut around the place', async () => {
    const file = write(
      'long.json',
      `{"x-a":"${'a'.repeat(5000)}","sc_standard":"SC-006","status":"activ","agent":{"name":"a","goal":"b"},"x-b":"${'b'.repeat(5000)}"}`,
    )
    const [, line = '', mark = ''] = (await run([file])).err.split('\n')
    assert.ok(line.length < 120)
    assert.equal(line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1), '"activ"')
  })
  test('control characters of a file never reach the terminal', async () => {
    const file = write(
      'control.json',
      '{"sc_standard":"SC-006","\\u001b[2J":1,"agent":{"name":"a","goal":"b\u009b31m"}}',
    )
    const { err } = await run([file])
    assert.match(err, /UNKNOWN_MEMBER/)
    assert.ok(!err.includes('\u001b') && !err.includes('\u009b'), JSON.stringify(err))
  })
})

describe('secrets are never shown', () => {
  const key = ['sk', 'proj', 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0nOp3rSt6v'].join('-')
  const files = [
    write('s1.json', `{"sc_standard":"SC-006","status":"activ","agent":{"name":"a","goal":"${key}"}}`),
    write('s2.yaml', `sc_standard: SC-006\nagent:\n  name: a\n  goal: |\n    long\n    ${key}\n  typo: 1\n`),
    write('s3.json', `{"sc_standard":"SC-006","agent":{"name":"a","goal":"${key}",}}`),
    write(
      's4.json',
      `{"sc_standard":"SC-006","agent":{"name":"a","goal":"b","model":{"provider":"${key}"}}}`,
    ),
    write(
      's5.json',
      `{"sc_standard":"SC-006","agent":{"name":"a","goal":"b","tools":[{"name":"t","description":"d","protocol":"http","endpoint":"https://me:${key}@x.example"}]}}`,
    ),
  ]
  for (const format of ['pretty', 'json', 'sarif', 'github'] as const) {
    test(format, async () => {
      const { out, err, exit } = await run(files, { format })
      assert.equal(exit, 1)
      assert.ok(!`${out}${err}`.includes(key.slice(8, 24)))
    })
  }
})

test('--format sarif: a log of version 2.1.0 whose results name their rules', async () => {
  const { out } = await run([invalid, warned], { format: 'sarif' })
  const log = JSON.parse(out)
  assert.equal(log.version, '2.1.0')
  const [{ tool, results }] = log.runs
  assert.deepEqual(
    tool.driver.rules.map(({ id }: { id: string }) => id),
    ['FORMAT_MISMATCH', 'NOT_IN_ENUM'],
  )
  for (const result of results) assert.equal(tool.driver.rules[result.ruleIndex].id, result.ruleId)
  assert.deepEqual(
    results.map(({ level }: { level: string }) => level),
    ['error', 'warning'],
  )
  assert.deepEqual(results[0].locations[0].physicalLocation, {
    artifactLocation: { uri: 'invalid.json' },
    region: { startLine: 3, startColumn: 13 },
  })
})

test('--format sarif: rules contain the entries of the catalogue', async () => {
  const corpus = join(import.meta.dirname, '../conformance')
  const one = (kind: string) => globSync(`${kind}/invalid/*.json`, { cwd: corpus }).sort()[3] ?? ''
  const files = KINDS.filter((kind) => kind !== 'aaif.handoff-stream').map((kind) => join(corpus, one(kind)))
  const { out } = await run(files, { format: 'sarif' })
  const [{ tool, results }] = JSON.parse(out).runs
  assert.ok(results.length >= files.length)
  const page = readFileSync(join(import.meta.dirname, '../../docs/rules.md'), 'utf8')
  for (const result of results) {
    const { help, fullDescription, properties } = tool.driver.rules[result.ruleIndex]
    assert.ok(help.text.includes(result.properties.rule), result.ruleId)
    assert.ok(fullDescription.text.length > 10)
    for (const place of properties.documentation) {
      assert.ok(page.includes(`<a id="${place.split('#')[1]}"></a>`), place)
    }
  }
})

test('a summary of several files counts their kinds', async () => {
  const corpus = join(import.meta.dirname, '../conformance')
  const { err } = await run(
    [
      join(corpus, 'aaif.agent/valid/minimal.json'),
      join(corpus, 'aaif.agent/valid/parcel-office.json'),
      join(corpus, globSync('agentcard/valid/*.json', { cwd: corpus })[0] ?? ''),
    ],
    {},
  )
  assert.match(err, /^3 files valid(, .*)?: 2 aaif\.agent, 1 agentcard$/m)
})

test('--format github: one workflow command for each issue, with its special characters escaped', async () => {
  const { out } = await run([invalid], { format: 'github' })
  assert.match(
    out,
    /^::error file=invalid\.json,line=3,col=13,title=NOT_IN_ENUM::status must be [^\n]* \(AAIF-4\.1-07\)\n$/,
  )
})

test('validating a valid JSON file loads no YAML library and no explanations', () => {
  const script = `
    import { createRequire } from 'node:module'
    import { validate } from ${JSON.stringify(join(import.meta.dirname, '../../src/cli/validate/validate.ts'))}
    const io = { cwd: ${JSON.stringify(dir)}, env: {}, out() {}, err() {}, stdin: process.stdin, color: false }
    await validate([process.argv[1]], {}, io)
    console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'))`
  const loaded = (file: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script, file], {
      cwd: dir,
      encoding: 'utf8',
    })
  assert.doesNotMatch(loaded(valid), /node_modules/)
  assert.match(loaded(warned), /node_modules\/yaml/)
  const explained = loaded(invalid)
  assert.match(explained, /node_modules\/jsonc-parser/)
  assert.match(explained, /node_modules\/fastest-levenshtein/)
})
