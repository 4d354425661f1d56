import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { findSecrets } from '../../src/secret/find-secrets.ts'
import { scanText } from '../../src/secret/secret-patterns.ts'

const data = process.env.WAYBILL_TEST_DATA ?? join(import.meta.dirname, '../../../shared')

/** Made here, so that this file holds no key that a scanner would report. */
function letters(length: number): string {
  return createHash('sha512')
    .update(`${length}`)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .repeat(3)
    .slice(0, length)
}

/** A reference as templates write it. */
function variable(name: string): string {
  return `\${${name}}`
}

const CAPITALS = letters(60).toUpperCase().slice(0, 16)
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hexadecimal = createHash('sha256').update('a token').digest('hex')
const basic = Buffer.from('alice:s3cret-pass').toString('base64')

const KNOWN: readonly (readonly [kind: string, text: string])[] = [
  ['openai-key', `sk-${letters(48)}`],
  ['openai-key', `sk-proj-${letters(40)}-${letters(20)}_${letters(12)}`],
  ['anthropic-key', `sk-ant-api03-${letters(40)}-${letters(30)}`],
  ['aws-access-key', `AKIA${CAPITALS}`],
  ['aws-access-key', `ASIA${CAPITALS}`],
  ['aws-secret-key', `aws_secret_access_key = ${letters(40)}`],
  ['github-token', `ghp_${letters(36)}`],
  ['github-token', `gho_${letters(36)}`],
  ['github-token', `ghs_${letters(36)}`],
  ['github-token', `github_pat_${letters(22)}_${letters(59)}`],
  ['aws-secret-key', `AwsSecretKey: ${letters(40)}`],
  ['github-token', `ghu_${letters(36)}`],
  ['github-token', `ghr_${letters(36)}`],
  ...['pat', 'dt', 'rt', 'ptt', 'soat'].map((use) => ['gitlab-token', `gl${use}-${letters(20)}`] as const),
  ['google-key', `AIza${letters(35)}`],
  ['google-token', `ya29.${letters(30)}`],
  ['google-secret', `GOCSPX-${letters(28)}`],
  ...[...'abeoprs'].map((use) => ['slack-token', `xox${use}-123456789012-${letters(24)}`] as const),
  ['slack-token', `xapp-1-${letters(24)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T${letters(8)}/B${letters(8)}/${letters(24)}`],
  ['stripe-key', `sk_live_${letters(24)}`],
  ['stripe-key', `sk_test_${letters(24)}`],
  ['stripe-key', `rk_live_${letters(24)}`],
  ['sendgrid-key', `SG.${letters(22)}.${letters(43)}`],
  ['npm-token', `npm_${letters(36)}`],
  ['pypi-token', `pypi-${letters(60)}`],
  ['huggingface-token', `hf_${letters(34)}`],
  ['groq-key', `gsk_${letters(40)}`],
  ['xai-key', `xai-${letters(48)}`],
  ['perplexity-key', `pplx-${letters(48)}`],
  ['replicate-token', `r8_${letters(37)}`],
  ...['pt', 'sk'].map((use) => ['langsmith-key', `lsv2_${use}_${letters(40)}`] as const),
  ...['hvs', 'hvb'].map((use) => ['vault-token', `${use}.${letters(30)}`] as const),
  ...['dop', 'doo', 'dor'].map((use) => ['digitalocean-token', `${use}_v1_${hexadecimal}`] as const),
  ['azure-storage-key', `AccountKey=${letters(64)}==`],
  ['age-key', `AGE-SECRET-KEY-1${letters(60).toUpperCase()}`],
  ['bearer-token', `bEARER\t${letters(32)}`],
  ['basic-auth', `basic ${basic}`],
  ['discord-webhook', `https://discordapp.com/api/webhooks/1/${letters(64)}`],
  ['jwt', `${part({ alg: 'EdDSA' })}.${part({ sub: 'someone', exp: 1 })}.${letters(43)}`],
  ['private-key', pem],
  ['bearer-token', `Authorization: Bearer ${letters(32)}`],
  ['telegram-token', `123456789:AA${letters(33)}`],
  ['discord-webhook', `https://discord.com/api/webhooks/123456789012345678/${letters(64)}`],
  ['basic-auth', `Authorization: Basic ${basic}`],
  ['url-password', 'https://user:pass@host.example/path'],
  ['url-password', `postgresql://app:${letters(12)}@db.internal:5432/main`],
  ['url-password', `redis://:${letters(12)}@cache:6379`],
  ['url-key', `https://api.test/v1?q=1&api_key=${letters(24)}`],
]

describe('scanText', () => {
  for (const [kind, text] of KNOWN) {
    test(`finds ${kind} in ${text.slice(0, 12).trim()}…, alone and inside other text`, () => {
      assert.deepEqual(
        scanText(text).map((f) => f.kind),
        [kind],
      )
      const around = `see "${text}" (and then on)`
      const [found, ...more] = scanText(around)
      assert.equal(more.length, 0)
      assert.ok(found !== undefined && text.includes(around.slice(found.start, found.end).trim()))
    })
  }

  test('gives the exact place of every one, in order', () => {
    const a = `ghp_${letters(36)}`
    const b = `sk_live_${letters(24)}`
    const text = `first ${b}, then ${a}.`
    assert.deepEqual(
      scanText(text).map(({ start, end }) => text.slice(start, end)),
      [b, a],
    )
  })

  test('a password that also occurs earlier in its URL is still found in its own place', () => {
    const text = 'https://abc:abc@abc.example'
    const [found] = scanText(text)
    assert.deepEqual([found?.start, found?.end], [12, 15])
  })

  test('the shortest secret is found in a text of nothing else', () => {
    assert.deepEqual(scanText('a://u:p@'), [{ start: 6, end: 7, kind: 'url-password' }])
  })

  test('a whole header is taken at its word, prose is not', () => {
    assert.equal(scanText('Bearer my-token-1').length, 1)
    assert.equal(scanText('Authorization: Bearer my-token-1').length, 1)
    assert.equal(scanText('Bearer my-token-1 is what the header looks like').length, 0)
  })

  test('a private key whose end is missing is taken to the end of the text', () => {
    const cut = pem.slice(0, 60)
    assert.deepEqual(scanText(`x ${cut}`), [{ start: 2, end: 2 + cut.length, kind: 'private-key' }])
  })

  const INNOCENT = [
    'sk-...',
    'sk-your-api-key-goes-here-1234',
    'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'sk-learn-pipeline-for-text-classification',
    'AKIAIOSFODNN7EXAMPLE',
    `Authorization: Bearer ${variable('API_TOKEN')}`,
    'Authorization: Bearer <your-access-token>',
    'Bearer authentication-is-required for all',
    'Use the Basic authentication scheme, basic understanding',
    `https://${variable('USER')}:${variable('PASSWORD')}@host.example/`,
    'https://example.com:8080/a@b',
    'https://example.com/?key=value&token=next-page&api_key=YOUR_API_KEY_HERE',
    'https://example.com/?api_key={api_key}',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----',
  ]
  for (const text of INNOCENT) {
    test(`lets pass: ${text.slice(0, 50).replaceAll('\n', ' ')}`, () => {
      assert.deepEqual(scanText(text), [])
    })
  }

  test('text made against it is read to its end', () => {
    for (const piece of [
      'sk-',
      'eyJ',
      'eyJaaaaaaaa.',
      'SG.a',
      '-----BEGIN PRIVATE KEY-----',
      '://a:',
      '?key=',
      'Bearer ',
      'xoxb-',
      'aA1-',
      ':',
      'aws_secret_key=',
    ]) {
      const times = Math.ceil(400_000 / piece.length)
      const found = scanText(piece.repeat(times)).length
      assert.equal(
        found,
        piece === '-----BEGIN PRIVATE KEY-----' ? 1 : piece === 'aws_secret_key=' ? 6666 : 0,
        piece,
      )
    }
  })
})

describe('findSecrets', () => {
  test('finds a known format at any path: in text, in lists, in member names', () => {
    const key = `ghp_${letters(36)}`
    assert.deepEqual(findSecrets({ a: [{ 'b/c': `use ${key}` }], [key]: 1 }), [
      { pointer: '/a/0/b~1c', kind: 'github-token', certain: true },
      { pointer: `/${key}`, kind: 'github-token', certain: true },
    ])
  })

  test('a random literal under a name that means a credential is certain', () => {
    for (const name of [
      'password',
      'client_secret',
      'token',
      'api_key',
      'apiKey',
      'X-API-Key',
      'access_token',
    ])
      assert.deepEqual(findSecrets({ [name]: letters(24) }), [
        { pointer: `/${name}`, kind: 'credential', certain: true },
      ])
  })

  test('a header with a scheme of its own counts as its credential', () => {
    assert.equal(findSecrets({ headers: { Authorization: `token ${letters(20)}` } })[0]?.certain, true)
  })

  test('a literal default of a parameter with such a name counts as its value', () => {
    const schema = { properties: { password: { type: 'string', default: 'Tr0ub4dor&3x' } } }
    assert.deepEqual(findSecrets(schema), [
      { pointer: '/properties/password/default', kind: 'credential', certain: true },
    ])
  })

  test('what may be one is reported as not certain', () => {
    const uncertain: Json[] = [
      { password: 'hunter' },
      { key: letters(32) },
      { note: `set token=${letters(20)} first` },
      ...['password', 'PASSWD', 'secret', 'api_key', 'api-key', 'apikey'].flatMap((name) => [
        { note: `the ${name}: ${letters(20)}` },
        { note: `the ${name}"='${letters(20)}'` },
      ]),
    ]
    for (const value of uncertain) {
      const found = findSecrets(value)
      assert.deepEqual(
        found.map((f) => f.certain),
        [false],
        JSON.stringify(value).slice(0, 12),
      )
    }
  })

  test('an env_var that holds a key instead of a name is found', () => {
    assert.equal(findSecrets({ auth: { type: 'bearer', env_var: `sk-${letters(40)}` } })[0]?.certain, true)
    assert.equal(
      findSecrets({ auth: { type: 'bearer', env_var: randomBytes(20).toString('hex') } }).length,
      1,
    )
    assert.deepEqual(findSecrets({ auth: { type: 'bearer', env_var: 'CRM_API_TOKEN_V2' } }), [])
  })

  test('identifiers, hashes, signatures, images and settings are fine', () => {
    const signature = sign(null, Buffer.from('x'), generateKeyPairSync('ed25519').privateKey).toString(
      'base64',
    )
    const fine = {
      id: randomUUID(),
      state_key: randomUUID(),
      cache_key: createHash('sha256').update('a').digest('hex'),
      provenance: {
        signature,
        checksum: createHash('sha256').update('b').digest('hex'),
        migration_token: KNOWN.find(([kind]) => kind === 'jwt')?.[1] as string,
      },
      image: `data:image/png;base64,${randomBytes(3_000).toString('base64')}`,
      max_tokens: 4_096,
      token_count: 'many',
      tokenizer: 'cl100k_base_v2x9',
      password: variable('DB_PASSWORD'),
      secret: 'CRM_CLIENT_SECRET',
      api_key: '<your-api-key-1234>',
      token: 'xxxxxxxxxxxxxxxx',
      next_page_token: letters(24),
      authorization: 'bearer',
      vault_ref: { provider: 'hashicorp_vault', path: 'secret/data/prod/crm', key: 'api_key' },
      properties: {
        password: { type: 'string', description: 'The password of the user, at least 8 characters' },
      },
      text: 'Never ask for a password or token. Use secret: yes. Tokens: 12.',
    }
    assert.deepEqual(findSecrets(fine), [])
  })

  test('a member of a prototype is not read, and __proto__ as a name is', () => {
    const value = JSON.parse(`{"__proto__": {"token": "${letters(30)}"}}`) as Json
    assert.equal(findSecrets(value).length, 1)
  })

  test('raises few false alarms on real definitions', (t) => {
    const folder = join(data, 'corpus')
    if (!statSync(folder, { throwIfNoEntry: false })) return t.skip(`needs definitions at ${folder}`)
    let files = 0
    const alarms: string[] = []
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      if (!name.endsWith('.json')) continue
      let document: Json
      try {
        document = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json
      } catch {
        continue
      }
      files++
      for (const { pointer, kind, certain } of findSecrets(document))
        if (certain) alarms.push(`${name}${pointer} ${kind}`)
    }
    t.diagnostic(`${files} files, ${alarms.length} alarms: ${alarms.slice(0, 12).join(', ')}`)
    assert.ok(files > 0 && alarms.length <= files * 0.02, alarms.join('\n'))
  })
})
