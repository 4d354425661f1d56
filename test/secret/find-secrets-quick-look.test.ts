import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { Json } from '../../src/document/json.ts'
import { type FoundSecret, findSecrets } from '../../src/secret/find-secrets.ts'
import { repetitions } from '../repetitions.ts'
import { mutate } from '../spec/aaif/mutations.ts'

/**
 * `findSecrets` searches with places only when a quick look says that there may be something. A known key beside the
 * value makes that look say so: the thorough search must then find in the value what was found without the key.
 */
function thoroughly(value: Json): FoundSecret[] {
  return findSecrets([`ghp_${random(36)}`, value])
    .filter(({ pointer }) => pointer !== '/0')
    .map((secret) => ({ ...secret, pointer: secret.pointer.slice('/1'.length) }))
}

/** Made here, so that this file holds no key that a scanner would report. */
function random(length: number): string {
  return createHash('sha512')
    .update(`${length}`)
    .digest('base64')
    .replace(/\W/g, '')
    .repeat(3)
    .slice(0, length)
}

const NAMES = [
  ...['name', 'password', 'apiKey', 'X-API-Key', 'client_secret', 'token', 'max_tokens', 'next_page_token'],
  ...['key', 'session_id', 'salt', 'env_var', 'default', 'const', 'enum', 'value', 'example', 'description'],
  ...[
    'checksum',
    'signature',
    'provenance',
    'attestation',
    'migration_token',
    'a/b',
    '__proto__',
    'toString',
  ],
  `ghp_${random(36)}`,
]
const TEXTS = [
  ...[
    '',
    'x',
    'weak1',
    'secret',
    'hunter22',
    'Pa55word!x',
    'PASSWORD',
    'string',
    'API_TOKEN',
    'your-key-here',
  ],
  ...[random(6), random(8), random(11), random(12), random(16), random(40), `token ${random(20)}`],
  ...[
    `ghp_${random(36)}`,
    `sk-${random(48)}`,
    `sk-learn-pipeline`,
    `see AKIA${random(16).toUpperCase()} there`,
  ],
  ...['https://user:pass@host.example/', 'https://host.example/?q=1', `?api_key=${random(24)}`, `\${TOKEN}`],
  ...[`password: ${random(12)}`, 'password: see the vault', `token=${random(9)}`, 'note: nothing', 'a=b'],
  ...['6f1b1a52-2d0f-4c39-9a6e-0d8b8c2f4f10', createHash('sha256').digest('hex'), 'sha256:abc'],
  ...[
    `${'long '.repeat(900)}${random(20)}`,
    `${'long '.repeat(900)}sk-${random(40)}`,
    `Bearer ${random(32)}`,
  ],
]

function document(next: () => number, depth: number): Json {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T
  if (depth === 0 || next() < 0.4)
    return next() < 0.1 ? pick([1, true, null]) : pick(TEXTS.slice(0, next() < 0.7 ? 12 : undefined))
  const length = Math.floor(next() * 4)
  if (next() < 0.3) return Array.from({ length }, () => document(next, depth - 1))
  return Object.fromEntries(Array.from({ length }, () => [pick(NAMES), document(next, depth - 1)]))
}

const DOCUMENTS = repetitions(20_000)

describe('the quick look for secrets', () => {
  test('skips no document in which the thorough search finds something, and changes no finding', () => {
    const next = randomNumbers(29)
    const counts = { without: 0, certain: 0, suspected: 0 }
    for (let round = 0; round < DOCUMENTS; round++) {
      const value = document(next, 1 + Math.floor(next() * 4))
      const found = findSecrets(value)
      assert.deepEqual(found, thoroughly(value), JSON.stringify(value))
      if (found.length === 0) counts.without++
      for (const { certain } of found) counts[certain ? 'certain' : 'suspected']++
    }
    for (const [what, count] of Object.entries(counts))
      assert.ok(count > DOCUMENTS / 100, `${what}: ${count}`)
  })

  test('changes no finding in mutated documents of every kind', () => {
    const next = randomNumbers(31)
    const files = globSync(join(import.meta.dirname, '../conformance/*/{valid,invalid}/*.json'))
    assert.ok(files.length > 100)
    for (const file of files) {
      let value: Json
      try {
        value = JSON.parse(readFileSync(file, 'utf8')) as Json
      } catch {
        continue
      }
      for (let round = 0; round < 5; round++) {
        assert.deepEqual(findSecrets(value), thoroughly(value), file)
        if (value !== null && typeof value === 'object') value = mutate(value, next)
      }
    }
  })

  test('a member that every object inherits neither hides a secret nor counts as one', () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    try {
      prototype.planted = `ghp_${random(36)}`
      assert.deepEqual(findSecrets({ a: 'x' }), [])
      assert.deepEqual(findSecrets({ a: `ghp_${random(36)}` }), [
        { pointer: '/a', kind: 'github-token', certain: true },
      ])
    } finally {
      delete prototype.planted
    }
  })
})
