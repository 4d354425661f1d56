import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtName, entrySources, publishedManifest } from '../../scripts/package/published-manifest.ts'

test('published entries point at built JavaScript and types; scripts and bundled packages are left out', () => {
  const published = publishedManifest(
    {
      name: 'waybill',
      private: true,
      scripts: { test: 'x' },
      devDependencies: { a: '1.0.0' },
      dependencies: { b: '1.0.0', c: '2.0.0' },
      exports: { '.': './src/index.ts', './spec': './src/spec/index.ts', './schemas/*': './schemas/*' },
    },
    ['c'],
  )
  assert.deepEqual(published, {
    name: 'waybill',
    dependencies: { b: '1.0.0' },
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './spec': { types: './lib/spec/index.d.ts', default: './lib/spec.js' },
      './schemas/*': './schemas/*',
      './package.json': './package.json',
    },
  })
})

test('the entries of the package are found in its exports, and each has a built name of its own', () => {
  const exports = {
    '.': './src/index.ts',
    './ports': { default: './src/run/index.ts' },
    './schemas/*': './schemas/*',
  }
  assert.deepEqual(entrySources({ exports }), ['index', 'run/index'])
  assert.deepEqual(['index', 'run/index', 'cli/main'].map(builtName), ['index', 'run', 'cli-main'])
})
