import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import type * as Jsonc from 'jsonc-parser'
import type * as Yaml from 'yaml'
import type { Document } from './document.ts'
import { encodeDocument } from './encode-document.ts'
import type { Json } from './json.ts'
import { readDocument } from './read-document.ts'

const require = createRequire(import.meta.url)

/**
 * Sets one member of a document and keeps the rest of its text where the format allows: comments, order, indentation.
 * Reads the result again; if it is not the expected data, writes the whole document again.
 * @param path names of members from the root
 * @param whole the data with the member in place
 */
export function writeWithMember(
  document: Document,
  path: readonly string[],
  value: Json,
  whole: Json,
): Uint8Array {
  const { encoding, text } = document
  if (encoding !== 'json' && encoding !== 'yaml') return encodeDocument(whole, encoding)
  const edited = encoding === 'json' ? editJson(text, path, value) : editYaml(text, path, value)
  const read = edited === undefined ? undefined : readDocument(edited, { encoding }).document?.value
  if (edited === undefined || !isDeepStrictEqual(plain(read), plain(whole)))
    return encodeDocument(whole, encoding)
  return Buffer.from(edited)
}

/** Readers may return objects without a prototype; as data they are equal. */
function plain(value: Json | undefined): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function editJson(text: string, path: readonly string[], value: Json): string {
  const { modify, applyEdits } = require('jsonc-parser') as typeof Jsonc
  const indent = /\n([ \t]+)\S/.exec(text)?.[1]
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const formattingOptions =
    indent === undefined
      ? undefined
      : { insertSpaces: !indent.includes('\t'), tabSize: indent.includes('\t') ? 1 : indent.length, eol }
  return applyEdits(
    text,
    modify(text, [...path], value, formattingOptions === undefined ? {} : { formattingOptions }),
  )
}

function editYaml(text: string, path: readonly string[], value: Json): string | undefined {
  const yaml = require('yaml') as typeof Yaml
  const document = yaml.parseDocument(text, { version: '1.2', schema: 'core' })
  if (document.errors.length > 0) return undefined
  const [container = '', member = ''] = path
  if (path.length === 2 && typeof value === 'string') {
    const edited = editBlock(yaml, document, text, container, `${member}: ${value}`, member, value)
    if (edited !== undefined) return edited
  }
  try {
    document.setIn(path, value)
  } catch {
    // The position of the member contains an alias.
    return undefined
  }
  return document.toString({ lineWidth: 0 })
}

/** Returns the text with one line changed or added; undefined if the text is too complex for that. */
function editBlock(
  yaml: typeof Yaml,
  document: Yaml.Document.Parsed,
  text: string,
  container: string,
  line: string,
  member: string,
  value: string,
): string | undefined {
  const root = document.contents
  // After an end mark another document would begin.
  const ended = /^\.\.\.(?:\s|$)/m.test(text)
  if (!yaml.isMap(root) || root.flow === true || ended) return undefined
  const inner = root.get(container, true) as unknown
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  if (inner === undefined) return `${text}${text.endsWith('\n') ? '' : eol}${container}:${eol}  ${line}${eol}`
  if (!yaml.isMap(inner) || inner.flow === true) return undefined
  const old = inner.get(member, true) as unknown
  if (yaml.isScalar(old) && old.range) return text.slice(0, old.range[0]) + value + text.slice(old.range[1])
  const first = inner.items[0]?.key
  if (old !== undefined || !yaml.isScalar(first) || !first.range) return undefined
  const start = first.range[0]
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^ +$/.test(indent) ? `${text.slice(0, start)}${line}${eol}${indent}${text.slice(start)}` : undefined
}
