import type { Issue } from '../document/issue.ts'
import { answer, integer, list, oneOf, text, typed } from './schema.ts'

const issue = answer(
  'A finding about the request, at its place.',
  {
    severity: oneOf(['error', 'warning', 'info'], 'Only errors refuse a request.'),
    code: text('Names the finding; see the list of codes.'),
    pointer: text('JSON Pointer (RFC 6901) of the value.'),
    line: integer('Line in the body, from 1.', 1),
    column: integer('Column in the body, from 1.', 1),
    message: text('What is wrong.'),
    hint: text('What to do.'),
    rule: text('The rule of the specification.'),
  },
  ['severity', 'code', 'pointer', 'message'],
)

export const issues = typed<readonly Issue[]>(list(issue))

/** The answer to every request that fails (RFC 9457). */
export const problem = answer(
  'An error (RFC 9457).',
  {
    type: text('A URN that names the code.'),
    title: text('The code in words.'),
    status: integer('The HTTP status.', 400, 599),
    code: text('Names the error; stable.'),
    detail: text('What is wrong.'),
    hint: text('What to do.'),
    rule: text('The rule of the specification that refused it.'),
    pointer: text('JSON Pointer of the value concerned.'),
    issues,
  },
  ['type', 'title', 'status', 'code', 'detail'],
)
