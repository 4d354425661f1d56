import { createRequire } from 'node:module'
import type * as Jsonc from 'jsonc-parser'
import type * as Yaml from 'yaml'
import type { Document } from './document.ts'
import { sameDecimal } from './exact-numbers.ts'
import { toPointer } from './json-pointer.ts'

/** A number whose text has more digits than a double can store. */
export interface LostDigits {
  readonly pointer: string
  readonly written: string
  readonly read: string
}

const require = createRequire(import.meta.url)

/**
 * Returns the first number of a document that was rounded when read, such as 0.12345678901234567890. Readers with
 * decimals and readers with doubles get different values, so a signature would not be valid for both. Numbers in binary
 * documents are never rounded.
 */
export function findLostDigits(document: Document): LostDigits | undefined {
  switch (document.encoding) {
    case 'json':
      return inJson(document.text)
    case 'yaml':
      return inYaml(document.text)
    case 'cbor':
    case 'msgpack':
      return undefined
  }
}

function inJson(text: string): LostDigits | undefined {
  const { visit } = require('jsonc-parser') as typeof Jsonc
  let found: LostDigits | undefined
  visit(text, {
    onLiteralValue(value, offset, length, _line, _column, path) {
      if (found !== undefined || typeof value !== 'number') return
      found = compare(text.slice(offset, offset + length), value, () => toPointer(path()))
    },
  })
  return found
}

function inYaml(text: string): LostDigits | undefined {
  const yaml = require('yaml') as typeof Yaml
  let found: LostDigits | undefined
  const document = yaml.parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: false })
  yaml.visit(document, {
    Scalar(_key, node, ancestors) {
      if (typeof node.value !== 'number' || node.source === undefined || /^[-+]?0[xo]/.test(node.source))
        return
      found = compare(node.source, node.value, () => pointerOf(yaml, node, ancestors))
      return found === undefined ? undefined : yaml.visit.BREAK
    },
  })
  return found
}

function pointerOf(yaml: typeof Yaml, node: Yaml.Scalar, ancestors: readonly unknown[]): string {
  const steps: (string | number)[] = []
  for (const [index, ancestor] of ancestors.entries()) {
    if (yaml.isPair(ancestor))
      steps.push(String(yaml.isScalar(ancestor.key) ? ancestor.key.value : ancestor.key))
    else if (yaml.isSeq(ancestor)) steps.push(ancestor.items.indexOf(ancestors[index + 1] ?? node))
  }
  return toPointer(steps)
}

function compare(written: string, value: number, pointer: () => string): LostDigits | undefined {
  const read = String(value)
  return sameDecimal(written, read) ? undefined : { pointer: pointer(), written, read }
}
