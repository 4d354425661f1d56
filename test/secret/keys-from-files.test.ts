import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { environmentRedactor } from '../../src/cli/environment-redactor.ts'

const KEY = 'zebra-quartz-71-lantern'

describe('a key in a variable that was made from a file', () => {
  for (const text of [`${KEY}\n`, `${KEY}\r\n`, `\uFEFF${KEY}`, `\uFEFF${KEY}\n\n`])
    test(`is sent and redacted without what the file adds: ${JSON.stringify(text)}`, async () => {
      const env = { OPENAI_API_KEY: text }
      assert.equal(await environmentSecrets(env).get('OPENAI_API_KEY'), KEY)
      assert.ok(!environmentRedactor({ cwd: '/', env }).text(`the key is "${KEY}".`).includes(KEY))
    })

  for (const text of ['', '\n', '\r\n', '\uFEFF', '\uFEFF\n'])
    test(`counts as not set if the file has no value: ${JSON.stringify(text)}`, async () => {
      const secrets = environmentSecrets({ OPENAI_API_KEY: text })
      assert.equal(secrets.has('OPENAI_API_KEY'), false)
      assert.equal(await secrets.get('OPENAI_API_KEY'), undefined)
    })
})
