/**
 * The order of the folders: which may import which. Biome's rules (`scripts/biome/layers.json`), the diagram in
 * `docs/architecture.md` and the test of the rules (`test/house/layers.test.ts`) are made from these tables.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Levels of names, lowest first. A folder may import those of the levels below its own, and itself. */
export type Levels = readonly (readonly string[])[]

export const LAYERS: Levels = [
  ['document'],
  ['schema', 'secret'],
  ['trust', 'condition'],
  ['spec'],
  ['policy'],
  ['plan'],
  ['run'],
  ['resolve', 'state', 'settings'],
  ['session'],
  ['http'],
  ['platform'],
  ['server'],
  ['library'],
  ['cli'],
]

/** Folders beside the layers; see {@link BESIDE}. */
const SHELL = ['adapters', 'testing', 'compose']

/** Names the folders of a layer that its table does not name: features that do not import one another. */
const OTHERS = '*'

/** The order within layers. A file is named if folders may not import it; all other files directly in a layer are free. */
export const WITHIN: Readonly<Record<string, Levels>> = {
  plan: [['degradations'], ['negotiation']],
  run: [['decide'], ['record'], ['trace'], ['drive']],
  platform: [
    ['database'],
    ['policies'],
    ['records'],
    ['people', 'streams'],
    ['budgets', 'secrets', 'stops'],
    ['engine'],
    ['agents', 'backup'],
    ['webhooks'],
    ['inbox', 'moves', 'removal', 'runs'],
    ['rules', 'sessions'],
    ['triggers'],
    // A new feature is above the others until it is named.
    [OTHERS],
    ['platform.ts', 'features.ts'],
  ],
  cli: [
    ['terminal', 'network'],
    ['options', 'standing-rules'],
    ['files'],
    ['conformance'],
    ['platform', 'run-view'],
    ['run-session'],
    ['remote'],
    ['resume'],
    [OTHERS],
    ['choose-run.ts', 'commands.ts', 'parsing-error.ts', 'main.ts'],
  ],
}

/** What a part of `src/` may not import. */
export interface Rule {
  /** Patterns of the files that it holds for. */
  readonly includes: readonly string[]
  /** Import specifiers, as gitignore patterns. */
  readonly refused: readonly string[]
  readonly message: string
}

const SEE = 'see docs/architecture.md'
const PUBLIC = ['../index.ts', '../../index.ts', 'waybill', 'waybill/**']
/** A folder inside a layer may bear the name of another layer. */
const OWN = ['!./**', './../**']

const anywhere = (names: readonly string[]): readonly string[] => names.map((name) => `**/${name}/**`)

/** Rules of the parts that the tables do not order: each names the layers that it may import. */
const BESIDE: readonly Rule[] = [
  {
    includes: ['src/adapters/**'],
    refused: [
      ...anywhere(without(['document', 'schema', 'policy'], 'adapters')),
      ...PUBLIC,
      '!**/plan/plan.ts',
      '!**/plan/snapshot.ts',
      '!**/plan/operator-settings.ts',
      '!**/run/ports.ts',
      '!**/run/finish.ts',
      '!**/run/state.ts',
      '!**/run/elicitation.ts',
      '!**/run/extension.ts',
      ...OWN,
    ],
    message: `An adapter imports only the ports that it implements; ${SEE}.`,
  },
  {
    includes: ['src/adapters/records/**'],
    refused: [
      ...anywhere(without(['document', 'policy'], 'adapters')),
      ...PUBLIC,
      '../../../index.ts',
      '!**/plan/plan.ts',
      '!**/run/record/**',
      '!**/run/event.ts',
      '!**/run/apply.ts',
      '!**/run/state.ts',
      '!**/run/extension.ts',
      '!**/run/decide/route-history.ts',
      '!**/trust/audit-chain.ts',
      ...OWN,
    ],
    message: `A store of records imports its port (src/run/record/) and the types that the port refers to; ${SEE}.`,
  },
  {
    includes: ['src/testing/**'],
    refused: [
      ...anywhere([...above('resolve'), 'settings'].filter((name) => name !== 'testing')),
      ...PUBLIC,
      ...OWN,
    ],
    message: `src/testing sits beside the adapters, and is used by tests of users; ${SEE}.`,
  },
  {
    includes: ['src/compose/**'],
    refused: [
      ...anywhere(above('platform').filter((name) => !SHELL.includes(name))),
      '../index.ts',
      'waybill',
      'waybill/**',
    ],
    message: `The composition is below the server and the command line; ${SEE}.`,
  },
  {
    includes: ['src/index.ts'],
    refused: [...anywhere(['adapters', 'server', 'cli']), 'waybill', 'waybill/**'],
    message: `The library entry is below the server and the command line; ${SEE}.`,
  },
]

/** Returns the layers and shell folders above a layer. */
function above(layer: string): readonly string[] {
  const level = LAYERS.findIndex((names) => names.includes(layer))
  return [...LAYERS.slice(level + 1).flat(), ...SHELL]
}

/** Returns the layers and shell folders without some layers and one folder. */
function without(layers: readonly string[], own: string): readonly string[] {
  return [...LAYERS.flat(), ...SHELL].filter((name) => !layers.includes(name) && name !== own)
}

/** Returns what each part of the sources may not import. @param root the folder of the repository */
export function rules(root: string): readonly Rule[] {
  return [...LAYERS.flatMap((_names, level) => rulesOfLevel(root, level)), ...BESIDE]
}

function rulesOfLevel(root: string, level: number): readonly Rule[] {
  const lower = LAYERS.slice(0, level).flat()
  return (LAYERS[level] ?? []).flatMap((layer) => {
    const others = LAYERS.flat().filter((name) => name !== layer && !lower.includes(name))
    // The command line constructs adapters; the library takes what src/compose has put together.
    const shell = layer === 'cli' ? [] : layer === 'library' ? ['adapters', 'testing'] : SHELL
    const refused = layer === 'cli' ? [] : [...anywhere([...others, ...shell]), ...PUBLIC]
    const may =
      lower.length === 0
        ? 'nothing of ours but itself'
        : `only ${lower.map((name) => `src/${name}`).join(', ')} and itself`
    const message = `src/${layer} may import ${may}. Move the code down, or pass the value in; ${SEE}.`
    return [
      ...(layer === 'cli' ? [] : [{ includes: [`src/${layer}/**`], refused: [...refused, ...OWN], message }]),
      ...rulesWithin(root, layer, refused),
    ]
  })
}

/** @param refused what the whole layer may not import: the linter applies the last rule of a file alone */
function rulesWithin(root: string, layer: string, refused: readonly string[]): readonly Rule[] {
  const levels = levelsWithin(root, layer)
  return levels.flatMap((names, level) =>
    names.flatMap((name): readonly Rule[] => {
      const higher = levels
        .slice(level)
        .flat()
        .filter((other) => other !== name)
      if (name.endsWith('.ts') || higher.length === 0) return []
      const message = `src/${layer}/${name} is below ${higher.join(', ')}; ${SEE}.`
      return depthsOf(join(root, 'src', layer, name)).map((depth) => ({
        includes: [`src/${layer}/${name}${'/*'.repeat(depth)}`],
        refused: [
          ...refused,
          ...higher.map((other) => `${'../'.repeat(depth)}${other}${other.endsWith('.ts') ? '' : '/**'}`),
          ...OWN,
        ],
        message,
      }))
    }),
  )
}

/** Returns the order within a layer, in which each folder is named. */
export function levelsWithin(root: string, layer: string): Levels {
  const levels = WITHIN[layer] ?? []
  const named = levels.flat()
  const others = readdirSync(join(root, 'src', layer), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !named.includes(entry.name))
    .map(({ name }) => name)
    .sort()
  return levels.map((names) => names.flatMap((name) => (name === OTHERS ? others : [name])))
}

/** Returns the depths of the files of a folder: 1 for those directly in it. */
function depthsOf(folder: string, depth = 1): readonly number[] {
  const folders = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  const deeper = folders.flatMap((name) => depthsOf(join(folder, name), depth + 1))
  return [...new Set([depth, ...deeper])]
}

/** Returns the text of the part of the linter's configuration that keeps the order. */
export function layersConfig(root: string): string {
  const overrides = rules(root).map(({ includes, refused, message }) => ({
    includes,
    linter: {
      rules: {
        style: {
          noRestrictedImports: { level: 'error', options: { patterns: [{ group: refused, message }] } },
        },
      },
    },
  }))
  return `${JSON.stringify({ overrides }, null, 2)}\n`
}

const BEGIN = '<!-- layers: written by `npm run generate` -->'
const END = '<!-- end of layers -->'

/** Returns the architecture page with the diagrams of the order. @throws TypeError if it has no place for them */
export function withLayers(root: string, page: string): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new TypeError(`the page has no ${BEGIN}`)
  const whole = diagram('src', LAYERS)
  const parts = Object.keys(WITHIN).map((layer) => diagram(`src/${layer}`, levelsWithin(root, layer)))
  return `${before}${BEGIN}\n\n${[whole, ...parts].join('\n\n')}\n\n${END}${after}`
}

/** Draws levels with the highest one first. */
function diagram(folder: string, levels: Levels): string {
  const rows = levels
    .toReversed()
    .filter((names) => names.length > 0)
    .map((names) => `  ${names.join(' · ')}`)
  return `\`\`\`text\n${folder}/\n${rows.join('\n')}\n\`\`\``
}
