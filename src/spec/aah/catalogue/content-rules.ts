import type { RuleEntry } from '../../rule-entry.ts'
import { STRUCTURED } from '../vocabulary.ts'
import { holding, note, rule, without } from './entry.ts'

/** Rules for the content of simple artifacts. */
export const contentRules: readonly RuleEntry[] = [
  rule('AAH-2.4-01', '§2.4', {
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE', 'FORMAT_MISMATCH'],
    sentence: 'content has media_type, and at least one of body and body_url.',
    right: holding({ body_url: 'https://post.example/rules' }),
    wrong: without(note, 'content', 'body'),
  }),
  rule('AAH-2.4-02', '§2.4', {
    enforced: 'schema',
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    sentence: 'encoding is a string; size_bytes and token_count are whole numbers from 0.',
    right: holding({ token_count: 0 }),
    wrong: holding({ token_count: -1 }),
  }),
  rule('AAH-2.4-03', '§2.4', {
    codes: ['BODY_HASH_MISMATCH', 'PATTERN_MISMATCH', 'WRONG_TYPE', 'INTEGRITY_UNCHECKED'],
    sentence: 'body_hash is the SHA-256 of the bytes of the content, in hexadecimal.',
    right: holding({ body_hash: '15783fb6d628f6998f78d060994f56ec3cd8218bcfce7f681c3e6a0cfd97d04d' }),
    wrong: holding({ body_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }),
  }),
  rule('AAH-2.4-04', '§2.4', {
    severity: 'warning',
    codes: ['SIZE_MISMATCH', 'INTEGRITY_UNCHECKED'],
    sentence: 'size_bytes is the number of bytes of the content.',
    right: holding({ size_bytes: 12 }),
    wrong: holding({ size_bytes: 13 }),
  }),
  rule('AAH-2.4-05', '§2.4', {
    severity: 'warning',
    codes: ['MEDIA_TYPE_UNLISTED'],
    sentence: 'Texts, code and data have one of the media types that every reader of AAH knows.',
    right: holding({ media_type: 'text/plain; charset=utf-8' }),
    wrong: holding({ media_type: 'text/x-rust' }),
  }),
  rule('AAH-2.4-06', '§2.4', {
    severity: 'warning',
    codes: ['MEDIA_TYPE_UNLISTED'],
    sentence: 'Images and structured data have one of the media types that every reader of AAH knows.',
    wrong: holding({ media_type: 'image/webp', encoding: 'base64', body: 'UklGRg==' }),
  }),
  rule('AAH-2.4-07', '§2.4', {
    codes: ['BINARY_NOT_BASE64', 'BODY_NOT_BASE64'],
    sentence: 'The bytes of an inline image are base64, with encoding "base64".',
    right: holding({ media_type: 'image/png', encoding: 'base64', body: 'iVBORw0KGgo=' }),
    wrong: holding({ media_type: 'image/png', body: 'iVBORw0KGgo=' }),
  }),
  rule('AAH-5-01', '§5', {
    codes: ['REQUIRED_MISSING', 'TOO_SHORT', 'WRONG_TYPE', 'STRUCTURED_BODY_INCOMPLETE'],
    sentence: 'A structured body has data, and schema names the schema of the data.',
    right: holding({ media_type: STRUCTURED, body: { schema: 'aah:letter', data: [] } }),
    wrong: holding({ media_type: STRUCTURED, body: { data: [] } }),
  }),
  rule('AAH-5-02', '§5', {
    codes: ['WRONG_TYPE', 'STRUCTURED_BODY_NOT_JSON'],
    sentence:
      'A structured body is an object, or a JSON string that contains an object; any other body is a string.',
    right: holding({ media_type: STRUCTURED, body: '{"schema": "aah:letter", "data": []}' }),
    wrong: holding({ media_type: STRUCTURED, body: 'Dear reader,' }),
  }),
  rule('AAH-sec-03', 'Security', {
    severity: 'warning',
    codes: ['CONTENT_NOT_AS_DECLARED'],
    sentence: 'The content matches its media type.',
    right: holding({ media_type: 'application/json', body: '{}' }),
    wrong: holding({ media_type: 'application/json', body: '{' }),
  }),
]
