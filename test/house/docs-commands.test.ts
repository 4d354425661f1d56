import { test } from 'node:test'
import { SHORT_PAGES } from './docs-pages.ts'
import { followPage, followPageOnTerminal } from './docs-shell.ts'

for (const page of SHORT_PAGES)
  test(`the commands in ${page} do what it says on a terminal`, () => followPageOnTerminal(page))
for (const page of SHORT_PAGES) test(`the commands in ${page} do what it says`, () => followPage(page))
