import type { CodeEntries } from './code-entry.ts'

export const READING_CODES = {
  FILE_UNREADABLE: {
    meaning:
      'A file that a command names does not exist, cannot be read, or is a folder; or a pattern matches no file.',
    remedy:
      'Check the path and the permissions, or name a file in the folder. Put patterns in quotes, so that the shell does not expand them.',
  },
  FILE_NOT_REGULAR: {
    meaning: 'The path leads to a pipe, a socket or a device where a regular file is expected.',
    remedy: 'Name a regular file. Commands also read pipes that they are given, such as `<(command)` or `-`.',
  },
  FILE_TOO_LARGE: {
    meaning: 'The file, the pipe or standard input has more bytes than Waybill reads.',
    remedy: 'Name a smaller file, or split it.',
  },
  FILE_EMPTY: {
    meaning: 'A definition was expected, but the input is empty.',
    remedy: 'Name another file; `waybill init` writes a first definition.',
  },
  DOCUMENT_EMPTY: {
    meaning: 'The file contains no document.',
    remedy: 'Name another file; `waybill init` writes a first definition.',
  },
  DOCUMENT_TOO_LARGE: {
    status: 413,
    meaning:
      'The document is larger than the limit (8 MiB by default, `--max-bytes` sets another), or has more values than a server accepts.',
    remedy: 'Refer to large contents by file or URL, or raise the limit.',
  },
  DOCUMENT_TOO_DEEP: {
    meaning: 'Objects and arrays are nested more deeply than the limit allows.',
    remedy: 'Look for unclosed brackets, or for data that contains itself.',
  },
  ENCODING_NOT_UTF8: {
    meaning: 'The text is in another encoding than UTF-8, such as UTF-16 or Latin-1.',
    remedy: 'Save the file as UTF-8.',
  },
  JSON_SYNTAX: {
    meaning: 'The text is not valid JSON; line and column give the position.',
    remedy: 'Follow the hint: the cause is usually a comma, a quote or a bracket.',
  },
  DUPLICATE_KEY: {
    meaning: 'An object has two members of the same name.',
    remedy: 'Keep one of them: readers disagree about which one counts.',
  },
  LONE_SURROGATE: {
    meaning: 'A text contains half of a surrogate pair, so it is not valid Unicode.',
    remedy: 'Write the character itself, or both halves.',
  },
  DIGITS_LOST: {
    meaning:
      'A number has more digits than a double can hold, so another encoding would contain another number.',
    remedy: 'Write the number as a string.',
  },
  INTEGER_IMPRECISE: {
    meaning: 'An integer is beyond 2^53 and would lose digits.',
    remedy: 'Write it as a string if every digit counts.',
  },
  NUMBER_OVERFLOW: {
    meaning: 'A number is larger than JSON readers can represent.',
    remedy: 'Write a smaller number, or a string.',
  },
  YAML_SYNTAX: {
    meaning: 'The text is not valid YAML; line and column give the position.',
    remedy: 'Check the indentation; quote strings that contain `: ` or `#`.',
  },
  YAML_MULTIPLE_DOCUMENTS: {
    meaning: 'The file contains more than one YAML document.',
    remedy: 'Put each document into a separate file.',
  },
  YAML_NOT_JSON: {
    meaning: 'A YAML value has no counterpart in JSON, such as a custom tag or `.inf`.',
    remedy: 'Quote the value, or write it in another way.',
  },
  YAML_KEY_NOT_STRING: {
    meaning: 'The name of a member is missing or is not a string.',
    remedy: 'Write `name: value`, with the name in quotes if it looks like a number.',
  },
  YAML_MERGE_KEY: {
    meaning: 'The merge key `<<` is used, which YAML 1.2 does not define.',
    remedy: 'Write out the members.',
  },
  YAML_ALIAS_BOMB: {
    meaning: 'Aliases would make the document many times larger than its text.',
    remedy: 'Write out the values.',
  },
  YAML_TOO_COMPLEX: {
    meaning: 'The YAML text has more nodes than the limit allows.',
    remedy: 'Split the document, or send it as JSON.',
  },
  CBOR_SYNTAX: {
    meaning: 'The data is not valid CBOR; the message names the byte.',
    remedy: 'Encode it again with a conforming encoder.',
  },
  CBOR_NOT_JSON: {
    meaning: 'A CBOR value has no counterpart in JSON.',
    remedy: 'Remove the value, or write it as a string.',
  },
  CBOR_TOO_COMPLEX: {
    meaning: 'A CBOR string is split into more chunks than the limit allows.',
    remedy: 'Write it in fewer chunks, or in one.',
  },
  MSGPACK_SYNTAX: {
    meaning: 'The data is not valid MessagePack; the message names the byte.',
    remedy: 'Encode it again with a conforming encoder.',
  },
  MSGPACK_NOT_JSON: {
    meaning: 'A MessagePack value has no counterpart in JSON.',
    remedy: 'Remove the value, or write it as a string.',
  },
  NOT_JSON: {
    meaning: 'A value passed in code is not JSON data: a function, `undefined`, or a number beyond JSON.',
    remedy: 'Pass plain data.',
  },
  DOCUMENT_UNREADABLE: {
    meaning: 'The document cannot be read, for a reason that has no separate code.',
    remedy: 'Follow the message.',
  },
  KIND_UNKNOWN: {
    meaning:
      'The document matches none of the known kinds. If its format is a known one of another tool (an OpenAPI document, an A2A card, a CrewAI file, …), the message names it.',
    remedy: 'Follow the hint, or name the kind with `--kind`.',
  },
  KIND_NOT_COMPARED: {
    meaning: '`waybill diff` compares agent definitions, and the document is of another kind.',
    remedy: 'Follow the hint: states are compared by `waybill state diff`, and runs by `waybill runs diff`.',
  },
  RULE_UNKNOWN: {
    meaning: '`waybill rules` was called with a rule or code that is not in the catalogue.',
    remedy: 'Follow the hint, or list all rules with `waybill rules`.',
  },
  CORPUS_EMPTY: {
    meaning: 'A corpus has no document in a folder named `valid` or `invalid`.',
    remedy: 'Use the layout `valid/…` and `invalid/…`.',
  },
  NOTHING_PROVED: {
    meaning: 'The corpus proved no conformance level, so there is no level to report.',
    remedy: '`waybill conformance test` shows what failed.',
  },
  ISSUES_OMITTED: {
    meaning: 'There are more findings than are listed.',
    remedy: 'Fix the first ones and validate again.',
  },
} satisfies CodeEntries
