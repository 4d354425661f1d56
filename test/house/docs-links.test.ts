import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { configSchema, projectSchema } from '../../src/settings/config-schema.ts'
import { firstCells, pages, readPage, root } from './docs-fences.ts'

test('every link between the pages leads to a file, and to a heading that is there', () => {
  const broken: string[] = []
  for (const page of pages()) {
    const prose = readPage(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [file = '', heading] = target.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      const fine =
        existsSync(join(root, path)) && (heading === undefined || anchorsOf(path).includes(heading))
      if (!fine) broken.push(`${page}: ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})

/** The anchors of headings, as repository hosts make them. */
function anchorsOf(path: string): readonly string[] {
  return [...readPage(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

test('the pages name no file or folder of the repository that is not there', () => {
  const gone: string[] = []
  for (const page of pages()) {
    for (const [, path = ''] of readPage(page).matchAll(
      /`((?:src|test|scripts|examples|docs|bin)\/[\w./-]+)`/g,
    ))
      if (!existsSync(join(root, path)) && !PLANNED.has(path)) gone.push(`${page}: ${path}`)
  }
  assert.deepEqual(gone, [])
})

/** Folders that have their place in the architecture before they have files. */
const PLANNED = new Set(['src/convert/', 'src/state/', 'src/evaluate/', 'src/platform/', 'src/server/'])

test('docs/architecture.md gives every folder of the sources its place', () => {
  const page = readPage('docs/architecture.md')
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  assert.deepEqual(
    folders.map(({ name }) => name).filter((name) => !page.includes(`\`src/${name}/\``)),
    [],
  )
})

test('docs/guides/configuration.md lists every member of config.yaml and of waybill.yaml', () => {
  const page = readPage('docs/guides/configuration.md')
  assert.deepEqual([...firstCells(page, 'config.yaml')].sort(), [...membersOf(configSchema)].sort())
  assert.deepEqual([...firstCells(page, 'waybill.yaml')].sort(), [...membersOf(projectSchema)].sort())
})

/** Package managers and runners, and the name that follows. */
const INSTALLS =
  /\b(?:npm (?:install|i|exec|view)|npx|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx?(?: add)?)\s+([^`\n]*)/g

test('the pages, messages and containers install no package that the manifest does not name', () => {
  const manifest = JSON.parse(readPage('package.json'))
  const known = new Set(
    ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((member) =>
      Object.keys(manifest[member]),
    ),
  )
  const sources = globSync('{src/**/*.ts,deploy/**,examples/**/*.md}', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const strange: string[] = []
  let seen = 0
  for (const page of [...pages(), ...sources]) {
    for (const [, words = ''] of readPage(page).matchAll(INSTALLS)) {
      for (const name of namesIn(words)) {
        seen++
        if (!known.has(name)) strange.push(`${page}: ${name}`)
      }
    }
  }
  assert.ok(seen >= 3, 'the pages install something')
  // The name of the package itself is not registered, so it is installed from its tarball only.
  assert.deepEqual(strange, [])
})

/** The names of packages in the words of a command: no options, paths, substitutions and versions. */
function namesIn(words: string): readonly string[] {
  const names: string[] = []
  for (const word of words.split(/\s+/)) {
    if (/^[|;&#"]/.test(word)) break
    const name = /^(@?[a-z][\w.-]*(?:\/[\w.-]+)?)(?:@[\w.^~-]+)?$/.exec(word)?.[1]
    if (name !== undefined && !/\.(?:tgz|ts|js|json)$/.test(name)) names.push(name)
  }
  return names
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
}

/** Paths of the members of a schema; `*` stands for a name or a number that the writer chooses. */
function membersOf(schema: unknown, before = ''): readonly string[] {
  const { properties = {}, additionalProperties, items } = schema as SchemaNode
  const open = typeof additionalProperties === 'object' ? membersOf(additionalProperties, `${before}*.`) : []
  const inItems = items === undefined ? [] : membersOf(items, `${before}*.`)
  const own = Object.entries(properties).flatMap(([name, node]) => [
    `${before}${name}`,
    ...membersOf(node, `${before}${name}.`),
  ])
  return [...own, ...open, ...inItems]
}
