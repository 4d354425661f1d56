import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { LAYERS, levelsWithin, WITHIN } from '../../scripts/layers.ts'

const root = join(import.meta.dirname, '../..')

/** Import specifiers, as written in a file directly inside the importing folder. */
interface Seed {
  readonly file: string
  readonly allowed: readonly string[]
  readonly refused: readonly string[]
}

const layers = LAYERS.flat()

function seedOfLayer(layer: string): Seed {
  const level = LAYERS.findIndex((names) => names.includes(layer))
  const lower = LAYERS.slice(0, level).flat()
  const rest = layers.filter((name) => name !== layer && !lower.includes(name))
  const shell = ['../adapters/models/any.ts', '../testing/any.ts', '../compose/any.ts']
  const inCli = layer === 'cli'
  const composes = inCli || layer === 'library'
  return {
    file: `src/${layer}/seeded.ts`,
    allowed: [
      ...lower.map((name) => `../${name}/any.ts`),
      './any.ts',
      // A folder inside the layer may bear another layer's name.
      ...rest.map((name) => `./${name}/any.ts`),
      ...(inCli ? shell : composes ? ['../compose/any.ts'] : []),
    ],
    refused: [
      ...rest.flatMap((name) => [`../${name}/any.ts`, `../${name}/deep/any.ts`]),
      ...(inCli ? [] : shell.filter((part) => !composes || part !== '../compose/any.ts')),
      ...(inCli ? [] : ['../index.ts', 'waybill', 'waybill/spec']),
      ...(inCli ? [] : ['./../cli/any.ts']),
    ],
  }
}

/** Imports of a file directly in a folder of a layer: those of the same layer, and one that the layer may not have. */
function seedsWithin(layer: string): readonly Seed[] {
  const levels = levelsWithin(root, layer)
  const specifier = (name: string) => (name.endsWith('.ts') ? `../${name}` : `../${name}/any.ts`)
  return levels.flatMap((names, level) =>
    names
      .filter((name) => !name.endsWith('.ts'))
      .map((name) => ({
        file: `src/${layer}/${name}/seeded.ts`,
        allowed: ['./any.ts', '../any.ts', ...levels.slice(0, level).flat().map(specifier)],
        refused: [
          ...levels
            .slice(level)
            .flat()
            .filter((other) => other !== name)
            .map(specifier),
          ...(layer === 'cli' ? [] : ['../../cli/any.ts']),
        ],
      })),
  )
}

const SEEDS: readonly Seed[] = [
  ...layers.map(seedOfLayer),
  ...Object.keys(WITHIN).flatMap(seedsWithin),
  {
    file: 'src/adapters/models/seeded.ts',
    allowed: [
      '../../document/any.ts',
      '../../schema/any.ts',
      '../../policy/any.ts',
      '../../plan/plan.ts',
      '../../plan/snapshot.ts',
      '../../plan/operator-settings.ts',
      '../../run/ports.ts',
      '../../run/state.ts',
      '../../run/extension.ts',
      './any.ts',
    ],
    refused: [
      ...layers
        .filter((name) => !['document', 'schema', 'policy'].includes(name))
        .map((name) => `../../${name}/any.ts`),
      '../../run/drive.ts',
      '../../plan/plan-run.ts',
      '../../compose/any.ts',
      '../../testing/any.ts',
    ],
  },
  {
    file: 'src/adapters/records/sqlite/seeded.ts',
    allowed: [
      '../../../document/any.ts',
      '../../../plan/plan.ts',
      '../../../run/record/any.ts',
      '../../../run/event.ts',
      '../../../run/apply.ts',
      '../../../run/state.ts',
      '../../../run/extension.ts',
      '../../../run/decide/route-history.ts',
      '../../../trust/audit-chain.ts',
      '../any.ts',
      './any.ts',
    ],
    refused: [
      ...layers
        .filter((name) => name !== 'document' && name !== 'policy')
        .map((name) => `../../../${name}/any.ts`),
      '../../../run/decide/any.ts',
      '../../../run/drive/any.ts',
      '../../../trust/ed25519.ts',
      '../../../plan/plan-run.ts',
      '../../../compose/any.ts',
      '../../../testing/any.ts',
    ],
  },
  {
    file: 'src/testing/seeded.ts',
    allowed: ['../run/ports.ts', '../spec/any.ts', '../plan/any.ts', '../state/any.ts'],
    refused: [
      '../adapters/any.ts',
      '../platform/any.ts',
      '../server/any.ts',
      '../library/any.ts',
      '../cli/any.ts',
      '../compose/any.ts',
    ],
  },
  {
    file: 'src/compose/seeded.ts',
    allowed: [
      '../adapters/models/any.ts',
      '../testing/any.ts',
      '../run/any.ts',
      '../platform/any.ts',
      './any.ts',
    ],
    refused: ['../server/any.ts', '../library/any.ts', '../cli/any.ts'],
  },

  {
    file: 'src/index.ts',
    allowed: ['./compose/any.ts', './run/any.ts', './spec/any.ts', './library/any.ts'],
    refused: ['./adapters/models/any.ts', './server/any.ts', './cli/any.ts'],
  },
]

/** Every form of import that names a module, on a line of its own. */
const FORMS = [
  "import '../cli/a.ts'",
  "import type { A } from '../cli/b.ts'",
  "export { b } from '../cli/c.ts'",
  "export const late = await import('../cli/d.ts')",
]

interface Finding {
  readonly category: string
  readonly path: string
  readonly line: number
}

interface BiomeReport {
  readonly diagnostics: readonly {
    readonly category: string
    readonly location: { readonly path: string; readonly start?: { readonly line: number } }
  }[]
}

/** Lints a small tree of seeded files with the rules of this repository. */
async function lint(files: ReadonlyMap<string, string>): Promise<Finding[]> {
  const tree = await mkdtemp(join(tmpdir(), 'waybill-layers-'))
  try {
    await cp(join(root, 'biome.json'), join(tree, 'biome.json'))
    await cp(join(root, 'scripts/biome'), join(tree, 'scripts/biome'), { recursive: true })
    for (const [path, text] of files) {
      await mkdir(dirname(join(tree, path)), { recursive: true })
      await writeFile(join(tree, path), text)
    }
    const args = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.']
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const { stdout } = await promisify(execFile)(process.execPath, [biome, ...args], {
      cwd: tree,
      maxBuffer: 1 << 26,
    }).catch((error: { stdout: string }) => error)
    const report = JSON.parse(stdout) as BiomeReport
    return report.diagnostics.map(({ category, location }) => ({
      category,
      path: location.path,
      line: location.start?.line ?? 0,
    }))
  } finally {
    await rm(tree, { recursive: true })
  }
}

function refusedLines(findings: readonly Finding[], file: string): number[] {
  return findings
    .filter((finding) => finding.path === file && finding.category === 'lint/style/noRestrictedImports')
    .map((finding) => finding.line)
    .sort((a, b) => a - b)
}

describe('import order', () => {
  let findings: Finding[] = []
  before(async () => {
    const files = new Map<string, string>([['src/document/forms.ts', `${FORMS.join('\n')}\n`]])
    for (const { file, allowed, refused } of SEEDS) {
      const lines = [...allowed, ...refused].map((specifier) => `import '${specifier}'`)
      files.set(file, `${lines.join('\n')}\n`)
    }
    findings = await lint(files)
  })

  for (const { file, allowed, refused } of SEEDS) {
    test(`${file}: the linter refuses ${refused.length} imports against the order and accepts ${allowed.length}`, () => {
      const specifiers = [...allowed, ...refused]
      const found = refusedLines(findings, file).map((line) => specifiers[line - 1])
      assert.deepEqual(found, refused)
    })
  }

  test('a static, a type, a re-exporting and a dynamic import are all held to the order', () => {
    assert.deepEqual(refusedLines(findings, 'src/document/forms.ts'), [1, 2, 3, 4])
  })

  test('every folder under src has its place in the order, and every place a folder', async () => {
    const placed = [...layers, 'adapters', 'testing', 'compose', 'index.ts']
    assert.deepEqual((await readdir(join(root, 'src'))).sort(), placed.sort())
  })

  for (const layer of Object.keys(WITHIN))
    test(`every folder of src/${layer} has its place in the order, and every place a folder or file`, async () => {
      const placed = levelsWithin(root, layer).flat()
      const entries = await readdir(join(root, 'src', layer), { withFileTypes: true })
      const names = entries.filter((entry) => entry.isDirectory() || placed.includes(entry.name))
      assert.deepEqual(names.map(({ name }) => name).sort(), placed.toSorted())
    })

  test('no source uses a form of import that the linter does not see', async () => {
    // Type positions and template literals; a plain import('./x.ts') is seen anywhere. For require, see below.
    const unseen = /\bimport\(\s*['"]\.[^)]*\)\.[A-Z]|\bimport\(\s*`|\brequire\(\s*`/
    const offenders = (await sourceTexts()).filter(([, text]) => unseen.test(text)).map(([path]) => path)
    assert.deepEqual(offenders, [])
  })
})

/** Path and text of each source. */
async function sourceTexts(): Promise<(readonly [path: string, text: string])[]> {
  const entries = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'lazy-module.ts')
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(paths.map(async (path) => [relative(root, path), await readFile(path, 'utf8')] as const))
}

describe('modules that are loaded late', () => {
  const late = /lazyModule<typeof (\w+)>\(\s*\(\) =>\s*require\('([^']+)'\),?\s*\)/g

  test('each is imported as a type as well, which linter and compiler follow', async () => {
    let count = 0
    const offenders: string[] = []
    for (const [path, text] of await sourceTexts()) {
      const known = [...text.matchAll(late)]
      count += known.length
      if (known.length !== text.split('lazyModule<').length - 1) offenders.push(path)
      // A module of ours that is required in any other way has no type that linter and compiler could follow.
      if (known.length !== [...text.matchAll(/\brequire\(\s*['"]\./g)].length) offenders.push(path)
      for (const [, name, specifier] of known) {
        if (!text.includes(`import type * as ${name} from '${specifier}'\n`)) offenders.push(path)
      }
    }
    assert.deepEqual(offenders, [])
    assert.ok(count >= 20, `${count} found`)
  })

  test('require has one name and one form, which knip and the bundler follow', async () => {
    let count = 0
    const offenders: string[] = []
    for (const [path, text] of await sourceTexts()) {
      const made = text.split('createRequire(').length - 1
      count += made
      const isPlain = /^const require = createRequire\(import\.meta\.url\)$/m.test(text)
      if (made > 1 || (made === 1 && !isPlain)) offenders.push(path)
      if (/\brequire\((?!\s*'[^']+',?\s*\))/.test(text)) offenders.push(path)
    }
    assert.deepEqual(offenders, [])
    assert.ok(count >= 20, `${count} found`)
  })
})

describe('merging decisions by spread', () => {
  /** Whether the linter accepts each of these object literals in `src/run/decide`. */
  const literals: readonly (readonly [literal: string, accepted: boolean])[] = [
    ['{ ...decision, warnings }', false],
    ['{ ...next, repair }', false],
    ['{ ...nextQuestion(program, state, at) }', false],
    ['{ settle: true, ...(handoff ?? nextQuestion(program)) }', false],
    ['{ ...(more ? next : {}) }', false],
    ['{ ...(more && next) }', false],
    ['{ ...state, ...turn }', false],
    ['{ ...event.decision }', false],
    ['{ ...statement }', false],
    ['[{ stage: { ...next } }]', false],
    ['{ ...(more && { ...next }) }', false],
    ['{ ...state, at }', true],
    ["{ ...call, status: 'sent' }", true],
    ['{ ...state.totals, llm_calls: 1 }', true],
    ['{ settle: true, ...(more && { warnings }) }', true],
    ['{ warnings: [...warnings, warning] }', true],
    ['mergeDecisions(...decisions)', true],
  ]
  let findings: Finding[] = []
  before(async () => {
    const text = literals.map(([literal], index) => `export const a${index} = ${literal}\n`).join('')
    findings = await lint(
      new Map([
        ['src/run/decide/seeded.ts', text],
        ['src/run/drive/seeded.ts', text],
      ]),
    )
  })
  const refused = (file: string) =>
    new Set(
      findings.filter(({ path, category }) => path === file && category === 'plugin').map(({ line }) => line),
    )

  for (const [index, [literal, accepted]] of literals.entries()) {
    test(`src/run/decide: the linter ${accepted ? 'accepts' : 'refuses'} ${literal}`, () => {
      assert.equal(!refused('src/run/decide/seeded.ts').has(index + 1), accepted)
    })
  }

  test('other folders may spread', () => {
    assert.deepEqual([...refused('src/run/drive/seeded.ts')], [])
  })
})

describe('what else the linter must catch', () => {
  let findings: Finding[] = []
  before(async () => {
    findings = await lint(
      new Map([
        ['src/spec/one.ts', "import { two } from './two.ts'\nexport const one = (): number => two() + 1\n"],
        ['src/spec/two.ts', "import { one } from './one.ts'\nexport const two = (): number => one() + 1\n"],
        [
          'src/spec/kind.ts',
          "import type { Shape } from './shape.ts'\nexport interface Kind {\n  readonly shape: Shape\n}\n",
        ],
        [
          'src/spec/shape.ts',
          "import type { Kind } from './kind.ts'\nexport interface Shape {\n  readonly kind: Kind\n}\n",
        ],
        [
          'src/spec/straight.ts',
          "import { one } from './one.ts'\nexport const three = (): number => one()\n",
        ],
        [
          'src/run/floating.ts',
          'async function work(): Promise<void> {}\nexport function start(): void {\n  work()\n}\n',
        ],
        [
          'src/run/awaited.ts',
          'async function work(): Promise<void> {}\nexport async function start(): Promise<void> {\n  await work()\n}\n',
        ],
        [
          'src/run/misused.ts',
          'async function ready(): Promise<boolean> {\n  return true\n}\nexport function go(): number {\n  if (ready()) return 1\n  return 2\n}\n',
        ],
        ['src/run/unused.ts', "import { join } from 'node:path'\nexport const a = 1\n"],
        ['src/run/all.ts', "export * from './awaited.ts'\n"],
        ['src/run/loud.ts', "console.log('x')\n"],
      ]),
    )
  })

  const caught: readonly (readonly [file: string, rule: string])[] = [
    ['src/spec/one.ts', 'lint/suspicious/noImportCycles'],
    ['src/spec/kind.ts', 'lint/suspicious/noImportCycles'],
    ['src/run/floating.ts', 'lint/nursery/noFloatingPromises'],
    ['src/run/misused.ts', 'lint/nursery/noMisusedPromises'],
    ['src/run/unused.ts', 'lint/correctness/noUnusedImports'],
    ['src/run/all.ts', 'lint/performance/noReExportAll'],
    ['src/run/loud.ts', 'lint/suspicious/noConsole'],
  ]
  for (const [file, rule] of caught) {
    test(`${rule} refuses ${file}`, () => {
      assert.ok(
        findings.some((finding) => finding.path === file && finding.category === rule),
        JSON.stringify(findings.filter((finding) => finding.path === file)),
      )
    })
  }

  test('code that keeps the rules has no findings', () => {
    const clean = ['src/spec/straight.ts', 'src/run/awaited.ts']
    assert.deepEqual(
      findings.filter((finding) => clean.includes(finding.path)),
      [],
    )
  })
})
