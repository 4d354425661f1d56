import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'

const root = join(import.meta.dirname, '../../src/cli')

/** What commands share, and which of these folders each may import. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  terminal: [],
  network: [],
  files: [],
  options: ['terminal'],
  'standing-rules': ['terminal'],
  'run-view': ['terminal', 'standing-rules'],
  platform: ['terminal', 'files', 'options'],
  remote: ['network', 'platform', 'terminal', 'files', 'options', 'run-view', 'run-session'],
  'run-session': ['terminal', 'files', 'options', 'run-view', 'standing-rules'],
}

/** A chat, a decision with `--resume`, and a run that is fetched continue as `waybill resume` does; the platform serves what `manifest` and `conformance` print. */
const ALLOWED = [
  'chat > resume',
  'approvals > resume',
  'migrate > resume',
  'platform > conformance',
  'run-session > grants',
  'resume > grants',
]

/** @returns `FOLDER > FOLDER` for each import that a folder of `src/cli/` may not have */
function forbiddenImports(files: ReadonlyMap<string, string>): readonly string[] {
  const found = new Set<string>()
  for (const [file, text] of files) {
    const [folder = '', ...rest] = file.split('/')
    if (rest.length === 0) continue
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const target = relative('.', join(dirname(file), specifier))
      const [other = '', ...deeper] = target.split('/')
      if (other === '..' || other === folder || deeper.length === 0) continue
      const edge = `${folder} > ${other}`
      const allowed = SHARED[folder] === undefined ? other in SHARED : SHARED[folder].includes(other)
      if (!allowed && !ALLOWED.includes(edge)) found.add(edge)
    }
  }
  return [...found]
}

const sources = new Map(
  globSync('**/*.ts', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

describe('each command has a folder of its own', () => {
  test('the folders of src/cli/ are the commands and what they share', () => {
    const folders = [...sources.keys()].flatMap((file) => (file.includes('/') ? [file.split('/')[0]] : []))
    const expected = [...COMMANDS.map(({ name }) => name), ...Object.keys(SHARED)]
    assert.deepEqual([...new Set(folders)].sort(), expected.sort())
  })

  test('a command imports its own folder and the shared ones', () => {
    assert.deepEqual(forbiddenImports(sources), [])
  })

  const seeds: readonly (readonly [file: string, specifier: string, edge: string | undefined])[] = [
    ['run/seeded.ts', '../plan/plan-agent.ts', 'run > plan'],
    ['run/batch/seeded.ts', '../../keys/keys-command.ts', 'run > keys'],
    ['run/batch/seeded.ts', '../run-agent.ts', undefined],
    ['run/seeded.ts', '../io.ts', undefined],
    ['run/seeded.ts', '../../plan/make-plan.ts', undefined],
    ['terminal/seeded.ts', '../run-view/story.ts', 'terminal > run-view'],
    ['files/seeded.ts', '../run/run-agent.ts', 'files > run'],
    ['options/seeded.ts', '../files/read-all.ts', 'options > files'],
    ['standing-rules/seeded.ts', '../grants/allow.ts', 'standing-rules > grants'],
    ['run-view/seeded.ts', '../run-session/drive-run.ts', 'run-view > run-session'],
    ['run-session/seeded.ts', '../run/run-agent.ts', 'run-session > run'],
    ['resume/seeded.ts', '../chat/chat.ts', 'resume > chat'],
  ]
  for (const [file, specifier, edge] of seeds) {
    test(`${file} ${edge === undefined ? 'may' : 'may not'} import ${specifier}`, () => {
      const seeded = new Map([[file, `import { a } from '${specifier}'`]])
      assert.deepEqual(forbiddenImports(seeded), edge === undefined ? [] : [edge])
      const late = new Map([[file, `await import('${specifier}')`]])
      assert.deepEqual(forbiddenImports(late), edge === undefined ? [] : [edge])
    })
  }
})
