import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WaybillError } from '../../src/document/issue.ts'
import type { Config, ProjectConfig } from '../../src/settings/config-schema.ts'
import { operatorSettingsOf, parseModel, type RunFlags } from '../../src/settings/operator-settings-of.ts'

const settings = (
  flags: RunFlags = {},
  config: Config = {},
  project: ProjectConfig = {},
  primary?: string | undefined,
) => operatorSettingsOf(flags, config, project, { primary })

/** Asserts a usage error with a way out. */
function refused(code: string, act: () => unknown, message?: RegExp): void {
  assert.throws(act, (error) => {
    assert.ok(error instanceof WaybillError)
    assert.deepEqual([error.code, error.fault], [code, 'usage'])
    assert.ok(error.details.hint)
    if (message !== undefined) assert.match(error.message, message)
    return true
  })
}

describe('settings of a run', () => {
  test('without flags and configuration, no optional setting is present', () => {
    assert.deepEqual(operatorSettingsOf({}, {}, {}), {
      rehearsal: false,
      grants: { hosts: [] },
      key_bindings: {},
      secret_grants: [],
      tools: {},
      budget: {},
      residency: {},
      allow_deprecated: false,
      retry_base_ms: 500,
    })
  })

  test('a rehearsal and deprecated members need a flag that is true', () => {
    for (const value of [true, false]) {
      const { rehearsal, allow_deprecated } = settings({ rehearse: value, allowDeprecated: value })
      assert.deepEqual([rehearsal, allow_deprecated], [value, value])
    }
  })

  test('the user, the session and the settings of the configuration are passed on unchanged', () => {
    const config: Config = {
      ca_files: ['/etc/office.pem'],
      tools: { find: { method: 'GET' } },
      mcp_servers: { files: { command: 'serve' } },
      residency: { mistral: ['EU'] },
      quality: { '*mini*': 1200 },
      pii: { names: true },
    }
    const { grants, ...rest } = settings({ user: 'ada', session: 's1' }, config)
    assert.deepEqual(grants, { hosts: [], ca_files: ['/etc/office.pem'] })
    assert.deepEqual(rest, {
      rehearsal: false,
      key_bindings: {},
      secret_grants: [],
      tools: config.tools,
      mcp_servers: config.mcp_servers,
      budget: {},
      residency: config.residency,
      quality: config.quality,
      user: 'ada',
      session: 's1',
      allow_deprecated: false,
      retry_base_ms: 500,
      pii: config.pii,
    })
  })

  test('calls that need no prompt are read from --yes, and a wrong rule is refused', () => {
    assert.deepEqual(settings({ yes: ['book number=1Z*', 'find'] }).allowed_calls, [
      { tool: 'book', where: [{ path: ['number'], op: '=', value: '1Z*' }] },
      { tool: 'find', where: [] },
    ])
    refused('CALL_RULE_INVALID', () => settings({ yes: ['=x'] }))
  })
})

describe('models', () => {
  const models: readonly (readonly [string, string, string])[] = [
    ['openai/gpt-4o', 'openai', 'gpt-4o'],
    ['a/b', 'a', 'b'],
    ['openrouter/meta/llama', 'openrouter', 'meta/llama'],
    ['ollama//x', 'ollama', '/x'],
  ]
  for (const [text, provider, model] of models)
    test(`"${text}" is the model ${model} of ${provider}`, () => {
      assert.deepEqual(parseModel(text), { provider, model })
      assert.deepEqual(settings({ model: text }).model, { provider, model })
      assert.deepEqual(settings({ judge: text }).judge, { provider, model })
    })
  for (const text of ['', '/', 'gpt-4o', '/gpt-4o', 'openai/'])
    test(`"${text}" is not PROVIDER/MODEL`, () => {
      refused('MODEL_INVALID', () => parseModel(text), new RegExp(`"${text}"`))
      refused('MODEL_INVALID', () => settings({ model: text }))
      refused('MODEL_INVALID', () => settings({ judge: text }))
    })
  test('--judge comes before the judge of the configuration', () => {
    assert.deepEqual(settings({}, { judge: 'a/b' }).judge, { provider: 'a', model: 'b' })
    assert.deepEqual(settings({ judge: 'c/d' }, { judge: 'a/b' }).judge, { provider: 'c', model: 'd' })
  })
  test('a price needs both of its sides; the context window counts alone', () => {
    const { models: facts } = settings(
      {},
      {
        models: {
          'a/both': { input_usd_per_mtok: 0.5, output_usd_per_mtok: 2, context_window: 32_000 },
          'a/free': { input_usd_per_mtok: 0, output_usd_per_mtok: 0 },
          'a/window': { context_window: 8000 },
          'a/input': { input_usd_per_mtok: 1 },
          'a/output': { output_usd_per_mtok: 1 },
        },
      },
    )
    assert.deepEqual(facts, {
      'a/both': { price: { input: 0.5, output: 2 }, context_window: 32_000 },
      'a/free': { price: { input: 0, output: 0 } },
      'a/window': { context_window: 8000 },
      'a/input': {},
      'a/output': {},
    })
  })
})

describe('hosts', () => {
  test('flags and bound addresses open private ranges; allow_hosts and stored grants never do', () => {
    const { hosts } = operatorSettingsOf(
      { allowHost: ['a.example'], baseUrl: 'http://127.0.0.1:8080/v1' },
      {
        allow_hosts: ['b.example'],
        providers: { openai: { base_urls: ['https://gw.example:444/v1'] }, x: {} },
      },
      {},
      {
        remembered: {
          hosts: [{ host: 'c.example', private: false, source: 'remembered' }],
          secrets: [],
        },
      },
    ).grants
    assert.deepEqual(
      hosts.map(({ host, port, private: reaches, source }) => [host, port, reaches, source]),
      [
        ['a.example', undefined, true, 'flag'],
        ['127.0.0.1', 8080, true, 'flag'],
        ['b.example', undefined, false, 'config'],
        ['c.example', undefined, false, 'remembered'],
        ['gw.example', 444, true, 'flag'],
      ],
    )
  })

  test('deny_hosts of the project are listed as denied', () => {
    const { denied, hosts } = settings({}, {}, { deny_hosts: ['a.example', 'b.example:81'] }).grants
    assert.deepEqual(
      denied?.map(({ host, port }) => [host, port]),
      [
        ['a.example', undefined],
        ['b.example', 81],
      ],
    )
    assert.deepEqual(hosts, [])
    assert.equal('denied' in settings({}, {}, { deny_hosts: [] }).grants, false)
  })

  for (const [where, flags, config, project] of [
    ['--allow-host', { allowHost: ['a b'] }, {}, {}],
    ['allow_hosts', {}, { allow_hosts: ['a b'] }, {}],
    ['deny_hosts', {}, {}, { deny_hosts: ['a b'] }],
  ] as const)
    test(`a host of ${where} that cannot be read is refused`, () =>
      refused('HOST_GRANT_INVALID', () => settings(flags, config, project)))
})

describe('base URLs', () => {
  test('--base-url loses its last slashes and allows its host and port', () => {
    for (const [text, url, host, port] of [
      ['https://gw.example/v1', 'https://gw.example/v1', 'gw.example', undefined],
      ['https://gw.example/v1/', 'https://gw.example/v1', 'gw.example', undefined],
      ['http://gw.example:81//', 'http://gw.example:81', 'gw.example', 81],
    ] as const) {
      const { base_url, grants } = settings({ baseUrl: text })
      assert.equal(base_url, url)
      assert.deepEqual(
        grants.hosts.map((grant) => [grant.host, grant.port]),
        [[host, port]],
      )
    }
  })

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /not a valid base URL/],
    ['gw.example/v1', /not a valid base URL/],
    ['https://', /not a valid base URL/],
    ['ftp://gw.example', /not a valid base URL/],
    ['ws://gw.example', /not a valid base URL/],
    ['file:///etc/passwd', /not a valid base URL/],
    ['https://ada@gw.example', /credentials/],
    ['https://:secret@gw.example', /credentials/],
    ['https://ada:secret@gw.example', /credentials/],
  ]
  for (const [text, message] of wrong)
    test(`"${text}" is refused as --base-url, as a bound address and as a collector`, () => {
      refused('BASE_URL_INVALID', () => settings({ baseUrl: text }), message)
      refused(
        'BASE_URL_INVALID',
        () => settings({}, { providers: { openai: { base_urls: [text] } } }),
        message,
      )
      refused('BASE_URL_INVALID', () => settings({}, { telemetry: { otlp_endpoint: text } }), message)
    })

  test('the message about credentials does not repeat them', () => {
    assert.throws(
      () => settings({ baseUrl: 'https://ada:hunter2@gw.example' }),
      ({ message, details }: WaybillError) => !`${message} ${details.hint}`.includes('hunter2'),
    )
  })
})

describe('keys', () => {
  const config: Config = { providers: { openai: { base_urls: ['https://gw.example'] }, mistral: {} } }
  test('providers.NAME.base_urls bind the key of that provider', () => {
    assert.deepEqual(settings({}, config).key_bindings, { openai: ['https://gw.example'], mistral: [] })
  })
  for (const [primary, bound] of [
    ['openai', { openai: ['https://gw.example', 'https://x.example'], mistral: [] }],
    ['groq', { openai: ['https://gw.example'], mistral: [], groq: ['https://x.example'] }],
    [undefined, { openai: ['https://gw.example'], mistral: [] }],
  ] as const)
    test(`--base-url binds the key of the first route's provider (${primary ?? 'none'}) alone`, () => {
      assert.deepEqual(settings({ baseUrl: 'https://x.example/' }, config, {}, primary).key_bindings, bound)
    })
  test('without --base-url the first provider gets no further address', () => {
    assert.deepEqual(settings({}, config, {}, 'groq').key_bindings, {
      openai: ['https://gw.example'],
      mistral: [],
    })
  })
})

describe('secrets', () => {
  const granted = (deny_secrets?: readonly string[]) =>
    operatorSettingsOf(
      { allowSecret: ['A@a.example'] },
      { secrets: [{ name: 'B', host: 'b.example' }] },
      deny_secrets === undefined ? {} : { deny_secrets },
      { remembered: { hosts: [], secrets: [{ name: 'C', host: 'c.example', bound: true }] } },
    ).secret_grants
  test('flags, the configuration and stored grants give secrets', () => {
    assert.deepEqual(granted(), [
      { name: 'A', host: 'a.example' },
      { name: 'B', host: 'b.example' },
      { name: 'C', host: 'c.example', bound: true },
    ])
  })
  for (const name of ['A', 'B', 'C'])
    test(`a project denies the secret ${name}, whatever granted it`, () => {
      assert.deepEqual(
        granted([name]).map((grant) => grant.name),
        ['A', 'B', 'C'].filter((other) => other !== name),
      )
    })
  test('a grant without a name or a host is refused', () => {
    for (const text of ['A', '@a.example', 'A@'])
      refused('SECRET_GRANT_INVALID', () => settings({ allowSecret: [text] }))
  })
})

describe('telemetry', () => {
  const telemetry = {
    otlp_endpoint: 'http://localhost:4318',
    protocol: 'grpc',
    headers: { authorization: 'TOKEN', 'x-team': 'TEAM' },
  } as const
  test('the collector is passed on with its headers', () => {
    assert.deepEqual(settings({}, { telemetry }).telemetry, telemetry)
    assert.deepEqual(settings({}, { telemetry: { protocol: 'grpc' } }).telemetry, {
      protocol: 'grpc',
      headers: {},
    })
  })
  test('a header whose secret the project denies is left out', () => {
    assert.deepEqual(settings({}, { telemetry }, { deny_secrets: ['TOKEN'] }).telemetry, {
      ...telemetry,
      headers: { 'x-team': 'TEAM' },
    })
  })
  test('the name of a header is not the name of a secret', () => {
    assert.deepEqual(settings({}, { telemetry }, { deny_secrets: ['x-team'] }).telemetry, telemetry)
  })
})

describe('budgets', () => {
  for (const [text, budget] of [
    ['tokens=1', { tokens: 1 }],
    ['usd=0.01', { usd: 0.01 }],
    ['calls=3', { calls: 3 }],
    ['seconds=0.5', { seconds: 0.5 }],
    ['tokens=10,usd=1,calls=2,seconds=60', { tokens: 10, usd: 1, calls: 2, seconds: 60 }],
    [' calls = 3 , usd=1', { calls: 3, usd: 1 }],
  ] as const)
    test(`--budget "${text}"`, () => assert.deepEqual(settings({ budget: text }).budget, budget))

  for (const text of [
    '',
    'tokens',
    'tokens=',
    'tokens= ',
    'tokens=0',
    'tokens=-1',
    'tokens=x',
    'tokens=Infinity',
    'token=5',
    '=5',
    '5',
    'tokens=5,',
    'tokens=5;usd=1',
    'tokens=5=6',
  ])
    test(`"${text}" is not a valid budget`, () =>
      refused('BUDGET_INVALID', () => settings({ budget: text }), /budget/))

  test('the lowest limit of --budget, config.yaml and waybill.yaml applies, for each kind on its own', () => {
    for (const [flag, config, project, lowest] of [
      ['calls=1', 2, 3, 1],
      ['calls=2', 1, 3, 1],
      ['calls=3', 2, 1, 1],
      ['calls=2', undefined, undefined, 2],
      ['calls=2', undefined, 1, 1],
      ['calls=1', undefined, 2, 1],
      [undefined, 2, undefined, 2],
      [undefined, undefined, 2, 2],
      [undefined, 1, 2, 1],
    ] as const) {
      const { budget } = settings(
        flag === undefined ? {} : { budget: flag },
        config === undefined ? {} : { budget: { calls: config, usd: 7 } },
        project === undefined ? {} : { budget: { calls: project, tokens: 9 } },
      )
      assert.deepEqual(budget, {
        calls: lowest,
        ...(config !== undefined && { usd: 7 }),
        ...(project !== undefined && { tokens: 9 }),
      })
    }
  })
})
