import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rootCertificates } from 'node:tls'
import { readConfig, readProjectConfig } from '../../src/settings/read-config.ts'
import { errorOf, folderOf } from './config-file.ts'

const certificate = rootCertificates[0] as string

describe('where the configuration is', () => {
  test('config.yaml of the home, unless --config names another file', (t) => {
    const { folder, write } = folderOf(t)
    write('config.yaml', 'allow_hosts: [home.example]\n')
    const other = write('other.yaml', 'allow_hosts: [other.example]\n')
    assert.deepEqual(readConfig(folder, undefined), { allow_hosts: ['home.example'] })
    assert.deepEqual(readConfig(folder, other), { allow_hosts: ['other.example'] })
    assert.deepEqual(readConfig(undefined, other), { allow_hosts: ['other.example'] })
  })

  test('configuration is optional: no home, no file in it, or an empty file', (t) => {
    const { folder, write } = folderOf(t)
    assert.deepEqual(readConfig(undefined, undefined), {})
    assert.deepEqual(readConfig(folder, undefined), {})
    for (const text of ['', ' \n\t\n']) {
      write('config.yaml', text)
      assert.deepEqual(readConfig(folder, undefined), {})
    }
  })

  test('a file that --config names must be there and be readable', (t) => {
    const { folder, write } = folderOf(t)
    write('config.yaml', '')
    for (const [path, reason] of [
      [`${folder}/missing.yaml`, 'there is no such file'],
      [folder, 'it is a folder'],
    ] as const) {
      const { code, fault, details } = errorOf(() => readConfig(folder, path))
      assert.deepEqual([code, fault, details.file], ['CONFIG_UNREADABLE', 'usage', path])
      assert.match(details.message, new RegExp(reason))
    }
  })

  test('waybill.yaml beside a definition is optional', (t) => {
    const { folder, write } = folderOf(t)
    assert.deepEqual(readProjectConfig(folder), {})
    write('waybill.yaml', 'deny_hosts: [a.example]\ndeny_secrets: [TOKEN]\nbudget: { calls: 2 }\n')
    assert.deepEqual(readProjectConfig(folder), {
      deny_hosts: ['a.example'],
      deny_secrets: ['TOKEN'],
      budget: { calls: 2 },
    })
  })

  for (const member of [
    'allow_hosts: [a.example]',
    'secrets: []',
    'extensions: [a.mjs]',
    'ca_files: [a.pem]',
  ])
    test(`waybill.yaml can only restrict: "${member}" is refused`, (t) => {
      const { folder, write } = folderOf(t)
      write('waybill.yaml', `${member}\n`)
      const { code, details } = errorOf(() => readProjectConfig(folder))
      assert.deepEqual([code, details.at], ['CONFIG_INVALID', `/${member.split(':')[0]}`])
      assert.match(details.hint ?? '', /valid members: deny_hosts, deny_secrets, budget;/)
    })
})

describe('paths in the configuration', () => {
  test('a path is relative to the folder of the file that contains it', (t) => {
    const { folder, write } = folderOf(t)
    write('office.pem', certificate)
    const path = write('config.yaml', 'ca_files: [office.pem]\nextensions: [ext/a.mjs, /srv/b.mjs]\n')
    assert.deepEqual(readConfig(undefined, path), {
      ca_files: [`${folder}/office.pem`],
      extensions: [`${folder}/ext/a.mjs`, '/srv/b.mjs'],
    })
  })

  test('sources of signatures are URLs, or paths relative to the folder of the configuration', (t) => {
    const { folder, write } = folderOf(t)
    const path = write(
      'config.yaml',
      'signatures: { sources: { vendor: require, /srv: ignore, "HTTPS://a.example/": prefer } }\n',
    )
    assert.deepEqual(readConfig(undefined, path).signatures?.sources, {
      [`${folder}/vendor`]: 'require',
      '/srv': 'ignore',
      'HTTPS://a.example/': 'prefer',
    })
    for (const source of ['~/vendor', 'https://a b/', 'ftp://a.example/']) {
      write('config.yaml', `signatures: { sources: { ${JSON.stringify(source)}: require } }\n`)
      const { code, details } = errorOf(() => readConfig(undefined, path))
      assert.equal(code, 'CONFIG_INVALID', source)
      assert.match(details.at ?? '', /^\/signatures\/sources\//)
    }
  })

  test('a file without a certificate is an error at its place in the list', (t) => {
    const { write } = folderOf(t)
    write('office.pem', certificate)
    write('notes.txt', 'no certificate\n')
    const path = write('config.yaml', 'ca_files: [office.pem, missing.pem]\n')
    const missing = errorOf(() => readConfig(undefined, path))
    assert.deepEqual(
      [missing.code, missing.fault, missing.details.file, missing.details.at],
      ['CONFIG_INVALID', 'usage', path, '/ca_files/1'],
    )
    assert.match(missing.message, /missing\.pem.*ENOENT/)
    write('config.yaml', 'ca_files: [notes.txt]\n')
    const { code, details } = errorOf(() => readConfig(undefined, path))
    assert.deepEqual([code, details.at], ['CONFIG_INVALID', '/ca_files/0'])
    assert.match(details.message, /^notes\.txt is not a certificate file/)
  })
})

describe('errors of the configuration', () => {
  test('invalid YAML has the line and column of the parser', (t) => {
    const path = folderOf(t).write('config.yaml', 'budget:\n  usd: [\n')
    const { code, fault, details } = errorOf(() => readConfig(undefined, path))
    assert.deepEqual([code, fault, details.file], ['CONFIG_INVALID', 'usage', path])
    assert.match(details.message, /YAML/)
    assert.equal(typeof details.line, 'number')
    assert.equal(typeof details.column, 'number')
  })

  const wrong: readonly {
    readonly rule: string
    readonly text: string
    readonly at: string | undefined
    readonly line: number
    readonly hint: RegExp
  }[] = [
    {
      rule: 'an unknown member is named, with the member that was meant',
      text: 'judge: a/b\nallow_host: [a.example]\n',
      at: '/allow_host',
      line: 2,
      hint: /^did you mean "allow_hosts"\? valid members: allow_hosts, private_hosts, .*; see docs\/guides\/configuration\.md$/,
    },
    {
      rule: 'an unknown member without a similar one gets the list of members alone',
      text: 'xyzzy: 1\n',
      at: '/xyzzy',
      line: 1,
      hint: /^valid members: allow_hosts, /,
    },
    {
      rule: 'an unknown member of a member gets the members of that place',
      text: 'budget:\n  calls: 1\n  second: 20\n',
      at: '/budget/second',
      line: 3,
      hint: /^did you mean "seconds"\? valid members: tokens, usd, calls, seconds;/,
    },
    {
      rule: 'below a name that the operator chose, the members of such an entry are listed',
      text: 'tools:\n  find:\n    methd: GET\n',
      at: '/tools/find/methd',
      line: 3,
      hint: /^did you mean "method"\? valid members: method, read_only, idempotent;/,
    },
    {
      rule: 'below an item of a list, the members of an item are listed',
      text: 'pii:\n  patterns:\n    - { name: a, regex: b }\n    - { name: a, regexp: b }\n',
      at: '/pii/patterns/1/regexp',
      line: 4,
      hint: /^did you mean "regex"\? valid members: name, regex;/,
    },
    {
      rule: 'a known member with a wrong value is not corrected',
      text: 'budget:\n  usd: much\n',
      at: '/budget/usd',
      line: 2,
      hint: /^valid members: tokens, usd, calls, seconds;/,
    },
    {
      rule: 'a wrong value in a list of texts gets the members of the whole file',
      text: 'allow_hosts:\n  - a.example\n  - 5\n',
      at: '/allow_hosts/1',
      line: 3,
      hint: /valid members: allow_hosts, /,
    },
    {
      rule: 'an unknown member explains more than the wrong value before it',
      text: 'budget: { usd: much }\njugde: a/b\n',
      at: '/jugde',
      line: 2,
      hint: /^did you mean "judge"\?/,
    },
    {
      rule: 'a configuration that is not an object is reported at its beginning',
      text: '- allow_hosts\n',
      at: undefined,
      line: 1,
      hint: /^valid members: allow_hosts, /,
    },
    {
      rule: 'the name of a model may contain a colon',
      text: 'models:\n  ollama/llama3:8b:\n    context_windw: 1\n',
      at: '/models/ollama~1llama3:8b/context_windw',
      line: 3,
      hint: /^did you mean "context_window"\? valid members: input_usd_per_mtok, output_usd_per_mtok, context_window;/,
    },
    {
      rule: 'a URL as the name of a source contains a colon',
      text: 'signatures:\n  sources:\n    "https://a.example/": maybe\n',
      at: '/signatures/sources/https:~1~1a.example~1',
      line: 3,
      hint: /valid members: /,
    },
  ]
  for (const { rule, text, at, line, hint } of wrong)
    test(rule, (t) => {
      const path = folderOf(t).write('config.yaml', text)
      const { code, fault, details } = errorOf(() => readConfig(undefined, path))
      assert.deepEqual(
        { code, fault, file: details.file, at: details.at, line: details.line },
        { code: 'CONFIG_INVALID', fault: 'usage', file: path, at, line },
      )
      assert.equal('at' in details, at !== undefined)
      assert.equal(typeof details.column, 'number')
      assert.match(details.hint ?? '', hint)
    })
})

describe('functions', () => {
  test('paths are relative to the folder of the configuration', (t) => {
    const { folder, write } = folderOf(t)
    const file = write(
      'config.yaml',
      'functions: { crm: { module: f/crm.mjs, organisations: all, read: [/data], write: [out], env: [CRM_KEY, MY_DATABASE_URL] } }',
    )
    assert.deepEqual(readConfig(undefined, file).functions?.crm, {
      module: `${folder}/f/crm.mjs`,
      organisations: 'all',
      read: ['/data'],
      write: [`${folder}/out`],
      env: ['CRM_KEY', 'MY_DATABASE_URL'],
    })
  })

  for (const name of ['WAYBILL_TOKEN', 'DATABASE_URL', 'PGPASSWORD', 'NODE_OPTIONS', 'LD_PRELOAD'])
    test(`a module cannot get ${name}`, (t) => {
      const { write } = folderOf(t)
      const file = write(
        'config.yaml',
        `functions: { a/b: { module: m, organisations: [], env: [X, ${name}] } }`,
      )
      const other = write(
        'other.yaml',
        `functions: { ab: { module: m, organisations: [], env: [X, ${name}] } }`,
      )
      assert.equal(errorOf(() => readConfig(undefined, file)).details.at?.startsWith('/functions'), true)
      const { code, details } = errorOf(() => readConfig(undefined, other))
      assert.deepEqual([code, details.at], ['CONFIG_INVALID', '/functions/ab/env/1'])
    })
})
