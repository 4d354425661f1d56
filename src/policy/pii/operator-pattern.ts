import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import { WaybillError } from '../../document/issue.ts'
import type { Candidate } from './pii-finding.ts'

const require = createRequire(import.meta.url)

export interface Pattern {
  readonly find: (text: string) => readonly Candidate[]
}

/**
 * Compiles a pattern of the operator.
 * @throws PII_PATTERN_INVALID if it is not a valid RE2 regular expression
 */
export function compilePattern({ name, regex }: { readonly name: string; readonly regex: string }): Pattern {
  const { RE2JS: engine } = require('re2js') as { RE2JS: typeof RE2JS }
  let compiled: RE2JS
  try {
    compiled = engine.compile(regex)
  } catch (cause) {
    throw new WaybillError('PII_PATTERN_INVALID', {
      fault: 'usage',
      message: `the pattern ${name} for personal data cannot be used: ${(cause as Error).message}`,
      hint: 'write it in RE2 syntax, without look-around and back-references',
      cause,
    })
  }
  return {
    find: (text) => {
      const found: Candidate[] = []
      const matcher = compiled.matcher(text)
      while (matcher.find()) {
        const start = matcher.start()
        const end = matcher.end()
        if (end > start) found.push({ start, end, kind: name, identity: text.slice(start, end) })
      }
      return found
    },
  }
}
