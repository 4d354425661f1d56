import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { after } from 'node:test'

/**
 * Runs whole suites a second time with another driver: every run that they drive in this process, directly, through
 * the library or for a sub-agent, is driven in legs instead.
 */
const DRIVE = '/src/run/drive/drive.ts'
const IN_LEGS = new URL('./legs/drive-in-legs.ts', import.meta.url).href
const DRIVES = /\/(test\/run\/[^/]+|src\/session\/session|src\/run\/drive\/drive-agents)\.ts$/

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const redirect = resolved.url.endsWith(DRIVE) && DRIVES.test(context.parentURL ?? '')
    return redirect ? { ...resolved, url: IN_LEGS } : resolved
  },
})

const { legs } = await import('./legs/drive-in-legs.ts')

for (const suite of [
  'drive',
  'approval',
  'orchestrate',
  'hooks',
  'memory',
  'pii',
  'constraints',
  'routes',
  'held-end',
  'messages',
  'record-failure',
  'output-formats',
  'consumer-duties',
])
  await import(`./${suite}.test.ts`)

after(() => {
  assert.ok(legs.begun > 1000, `only ${legs.begun} legs were driven`)
  assert.ok(legs.woken > 3, `only ${legs.woken} runs were woken by time`)
})
