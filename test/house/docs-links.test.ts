import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
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

test('README.md lists every command, and no other', () => {
  assert.deepEqual(
    [...firstCells(readPage('README.md'), 'Commands')].sort(),
    COMMANDS.map(({ name }) => name).sort(),
  )
})

test('docs/guides/configuration.md lists every member of config.yaml and of waybill.yaml', () => {
  const page = readPage('docs/guides/configuration.md')
  assert.deepEqual([...firstCells(page, 'config.yaml')].sort(), [...membersOf(configSchema)].sort())
  assert.deepEqual([...firstCells(page, 'waybill.yaml')].sort(), [...membersOf(projectSchema)].sort())
})

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
