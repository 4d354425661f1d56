// Finds words that make technical English hard to read, in comments, strings, titles of tests and pages.
//   node scripts/check-words.ts             the whole repository; exits with 1 on a finding
//   node scripts/check-words.ts PATH…       these folders and files only
// A false alarm: end the line with the comment `words-ok`. The table of words is in plain-words.ts.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { poorWordsIn } from './plain-words.ts'

/** Folders and files that are held to the rule, from the folder of the repository. */
const HELD = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'bench',
  'bin',
  'docs',
  'examples',
  'scripts',
  'src',
  'test',
]

/** Generated, or lists the words themselves. */
const LEFT_OUT =
  /(?:^|\/)(?:node_modules|generated|peers)\/|^docs\/(?:codes|rules)\.md$|(?:^|\/)plain-words[.\w]*ts$/

function filesOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path]
  return globSync(`${path.replace(/\/$/, '')}/**/*.{ts,mjs,md}`).sort()
}

const paths = process.argv.slice(2)
const missing = paths.filter((path) => !existsSync(path))
if (missing.length > 0) {
  console.error(`there is no such file or folder: ${missing.join(', ')}`)
  process.exit(2)
}
const files = (paths.length > 0 ? paths : HELD).flatMap(filesOf).filter((file) => !LEFT_OUT.test(file))
let count = 0
for (const file of files) {
  for (const { line, words, instead } of poorWordsIn(file, readFileSync(file, 'utf8'))) {
    console.log(`${file}:${line}: "${words}": ${instead}`)
    count++
  }
}
if (count > 0) {
  console.error(`${count} words to replace in ${files.length} files`)
  process.exitCode = 1
}
