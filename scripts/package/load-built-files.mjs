/**
 * Loads every built file of the published package, and every module that these files load on first use. The first
 * argument is the folder of the built files. Plain JavaScript, because it runs next to an installed package. Prints the
 * numbers of files and late modules.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Optional peers, which are not installed. */
const ABSENT = /^@energetic-ai\//
const [folder = ''] = process.argv.slice(2)
const require = createRequire(join(folder, 'any.js'))
const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
const faults = []
let late = 0

async function check(file, specifier, member, load) {
  late += 1
  try {
    const module = await load()
    if (member !== undefined && module[member] === undefined)
      faults.push(`${file}: ${specifier} has no ${member}`)
  } catch (error) {
    faults.push(`${file}: ${specifier}: ${error.message}`)
  }
}

// A call in a template literal is text: Ajv writes some into code that it generates.
for (const file of files) {
  const text = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const url = pathToFileURL(join(folder, file))
  await check(file, file, undefined, () => import(url))
  for (const [, specifier, member] of text.matchAll(
    /(?<!`)\b(?:waybillRequire|require(?:\$\d+)?)\("([^"]+)"\)(?:\.([\w$]+))?/g,
  )) {
    await check(file, specifier, member, () => require(specifier))
  }
  for (const [, specifier] of text.matchAll(/\bimport\("([^"]+)"\)/g)) {
    if (ABSENT.test(specifier) || specifier.startsWith('node:')) continue
    const target = specifier.startsWith('.')
      ? new URL(specifier, url)
      : pathToFileURL(require.resolve(specifier))
    await check(file, specifier, undefined, () => import(target))
  }
}
if (faults.length > 0)
  throw new Error(`modules that are loaded on first use do not load:\n${faults.join('\n')}`)
process.stdout.write(JSON.stringify({ files: files.length, late }))
