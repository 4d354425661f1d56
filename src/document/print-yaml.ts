import * as yaml from 'yaml'
import type { Json } from './json.ts'
import { assertJsonData } from './json-data.ts'

/**
 * JSON data as YAML 1.2 in block style, for people to read and edit. Texts that a YAML 1.1 reader would take for
 * something else (yes, on, 0123, 12:30, 2026-01-01, ~) are quoted, so old and new readers get the same data.
 * @throws NOT_JSON, DOCUMENT_TOO_DEEP
 */
export function printYaml(value: Json): string {
  assertJsonData(value)
  return yaml.stringify(value, {
    version: '1.2',
    schema: 'core',
    compat: 'yaml-1.1',
    // Aliases are data that a reader has to expand, and long lines are the author's.
    aliasDuplicateObjects: false,
    lineWidth: 0,
    customTags: (tags) => [delicateText, exponent, ...tags],
  })
}

/** Characters that are not printable in YAML, or that YAML 1.1 reads as line breaks, and half hidden ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const DELICATE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Texts with such characters: a JSON string is a double-quoted YAML scalar, with more of it escaped. */
const delicateText: yaml.ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  // The default for what it is, so that it is written without its tag.
  default: true,
  identify: (value) => typeof value === 'string' && value.search(DELICATE) !== -1,
  resolve: (text) => text,
  stringify: (item) => JSON.stringify(item.value).replace(DELICATE, escapeCharacter),
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** YAML 1.1 takes `1e+21` for a text: its floats have a point. */
const exponent: yaml.ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  // Among several that know a value, the one with a test is taken.
  test: /^-?\d+\.0e[-+]\d+$/,
  identify: (value) => typeof value === 'number' && /^-?\d+e/.test(String(value)),
  resolve: (text) => text,
  stringify: (item) => String(item.value).replace('e', '.0e'),
}
