import { globSync } from 'node:fs'
import { root } from './docs-fences.ts'

/** What a new user reads first; its commands run in the suite, and those of the other guides among the slow tests. */
export const SHORT_PAGES: readonly string[] = [
  'README.md',
  'docs/guides/first-agent.md',
  'docs/guides/running.md',
]

export const GUIDES: readonly string[] = globSync('docs/guides/*.md', { cwd: root }).sort()
