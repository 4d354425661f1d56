import { test } from 'node:test'
import { readPage } from './docs-fences.ts'
import { GUIDES, SHORT_PAGES } from './docs-pages.ts'
import { commandsOf, followPage } from './docs-shell.ts'

for (const page of GUIDES) {
  if (SHORT_PAGES.includes(page) || commandsOf(readPage(page)).length === 0) continue
  test(`the commands in ${page} do what it says`, () => followPage(page))
}
