import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateAll } from '../../../scripts/generate.ts'
import { OWN_REPORT_PATH, ownReportFile } from '../../../scripts/own-report.ts'

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

test('the conformance report that is served says what the corpus proves now', async () => {
  assert.equal(
    readFileSync(join(root, OWN_REPORT_PATH), 'utf8'),
    await ownReportFile(),
    `${OWN_REPORT_PATH} is stale: run \`npm run generate\``,
  )
})

test('the generated validator imports no other module', async () => {
  const validator = (await generateAll()).get('src/spec/aaif/generated/agent.validate.js') ?? ''
  assert.match(validator, /export default/)
  assert.doesNotMatch(validator, /\brequire\(|^import /m)
})
