import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateAll } from '../../../scripts/generate.ts'

const root = join(import.meta.dirname, '../../..')

test('generated files match the schema sources', async () => {
  for (const [path, content] of await generateAll()) {
    assert.equal(
      readFileSync(join(root, path), 'utf8'),
      content,
      `${path} is stale: run \`npm run generate\``,
    )
  }
})

test('the generated validator imports no other module', async () => {
  const validator = (await generateAll()).get('src/spec/aaif/generated/agent.validate.js') ?? ''
  assert.match(validator, /export default/)
  assert.doesNotMatch(validator, /\brequire\(|^import /m)
})
