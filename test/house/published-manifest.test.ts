import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishedManifest } from '../../scripts/published-manifest.ts'

test('published entries point at built JavaScript and types, and nothing of the workshop is published', () => {
  const published = publishedManifest({
    name: 'waybill',
    private: true,
    scripts: { test: 'x' },
    devDependencies: { a: '1.0.0' },
    dependencies: { b: '1.0.0' },
    exports: { '.': './src/index.ts', './spec': './src/spec/index.ts', './schemas/*': './schemas/*' },
  })
  assert.deepEqual(published, {
    name: 'waybill',
    dependencies: { b: '1.0.0' },
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './spec': { types: './lib/spec/index.d.ts', default: './lib/spec/index.js' },
      './schemas/*': './schemas/*',
      './package.json': './package.json',
    },
  })
})
