import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelsOf, openPriceTable } from '../../src/adapters/models/price-table.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { firstModel } from '../../src/cli/init/first-models.ts'
import { withAddedKeys } from '../../src/compose/extensions.ts'
import { ownMember } from '../../src/document/own-member.ts'
import { claimedPrincipal } from '../../src/platform/people/claimed-principal.ts'
import { compilePlainCheck } from '../../src/schema/plain-check.ts'
import { identityOf } from '../../src/session/capture-run.ts'
import { operatorSettingsOf } from '../../src/settings/operator-settings-of.ts'
import { bytesOfBody } from '../../src/spec/aah/content-bytes.ts'
import { mergeSchemas } from '../../src/testing/merge-schemas.ts'

const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty']
const URL_OF = 'https://models.example/v1'
const PLAIN = { issuer: 'https://id.example', audience: 'waybill' }

/** Each place that looks up a name from outside, and its result for a name that is not there. */
const LOOKUPS: readonly (readonly [what: string, lookUp: (name: string) => unknown, wanted: unknown])[] = [
  ['a member of a record', (name) => ownMember({ a: 1 }, name), undefined],
  ['a variable', (name) => environmentSecrets({}).has(name), false],
  ['a provider of the price table', (name) => openPriceTable()(name, 'gpt-4o-mini'), undefined],
  ['a provider whose models are listed', (name) => modelsOf(name), []],
  ['a provider of a new definition', (name) => firstModel(name), undefined],
  [
    'the provider that --base-url binds',
    (name) => operatorSettingsOf({ baseUrl: URL_OF }, {}, {}, { primary: name }).key_bindings?.[name],
    [URL_OF],
  ],
  [
    'a provider that an extension adds',
    (name) => {
      const facts = { providers: Object.fromEntries([[name, { base_url: URL_OF }]]) }
      return withAddedKeys(
        operatorSettingsOf({}, {}, {}),
        facts as unknown as Parameters<typeof withAddedKeys>[1],
      ).key_bindings?.[name]
    },
    [URL_OF],
  ],
  [
    'the identity of a definition',
    (name) => identityOf({ definition_hash: name }, {}).startsWith('sha256:'),
    true,
  ],
  ['an encoding', (name) => bytesOfBody('text', name), { problem: 'unknown-encoding' }],
  ['a keyword of a schema', (name) => compilePlainCheck(Object.fromEntries([[name, 1]])), null],
  ['a type of a schema', (name) => compilePlainCheck({ type: name }), null],
  [
    'the claim of the user',
    (name) =>
      claimedPrincipal({ ...PLAIN, user_claim: name, organisation: 'a', roles: { claim: 'r', map: {} } }, {}),
    null,
  ],
  [
    'a keyword of two schemas',
    (name) =>
      Object.entries(mergeSchemas({ type: 'string' }, Object.fromEntries([[name, 1]])) ?? {}).at(-1)?.[1],
    1,
  ],
]

test('the prototype of a record is not a member', () => {
  assert.equal(ownMember({ a: 1 }, '__proto__'), undefined)
})

for (const [what, lookUp, wanted] of LOOKUPS)
  test(`${what} with an inherited name is not there`, () => {
    for (const name of INHERITED) assert.deepEqual(lookUp(name), wanted, name)
  })
