import * as yaml from 'yaml'
import type { Json } from './json.ts'
import { assertJsonData } from './json-data.ts'

/**
 * Returns JSON data as YAML 1.2 in block style, for people to read and edit. Quotes strings that a YAML 1.1 reader
 * would interpret as other values (yes, on, 0123, 12:30, 2026-01-01, ~), so that all readers get the same data.
 * @throws NOT_JSON, DOCUMENT_TOO_DEEP
 */
export function printYaml(value: Json): string {
  assertJsonData(value)
  return yaml.stringify(value, {
    version: '1.2',
    schema: 'core',
    compat: 'yaml-1.1',
    // Aliases must be expanded by readers, and the author's long lines are kept.
    aliasDuplicateObjects: false,
    lineWidth: 0,
    customTags: (tags) => [delicateText, exponent, ...tags],
  })
}

/** Characters that are not printable in YAML, that YAML 1.1 reads as line breaks, or that are invisible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const DELICATE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Strings with such characters: a JSON string is a valid double-quoted YAML scalar, with more characters escaped. */
const delicateText: yaml.ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  // The default type, so that it is written without a tag.
  default: true,
  identify: (value) => typeof value === 'string' && value.search(DELICATE) !== -1,
  resolve: (text) => text,
  stringify: (item) => JSON.stringify(item.value).replace(DELICATE, escapeCharacter),
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** YAML 1.1 reads `1e+21` as a string: its floats have a point. */
const exponent: yaml.ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  // If several tags match a value, the one with a test is used.
  test: /^-?\d+\.0e[-+]\d+$/,
  identify: (value) => typeof value === 'number' && /^-?\d+e/.test(String(value)),
  resolve: (text) => text,
  stringify: (item) => String(item.value).replace('e', '.0e'),
}
