import { equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { WaybillError } from '../../src/document/issue.ts'

const details = {
  file: 'agent.yaml',
  line: 5,
  column: 30,
  message: 'model has no member "name"',
  hint: 'AAIF calls it "preferred"',
  rule: 'SPEC-W-01',
}

test('the text of an error names its code and place', () => {
  const error = new WaybillError('DEFINITION_INVALID', details)
  equal(String(error), 'WaybillError [DEFINITION_INVALID]: agent.yaml:5:30: model has no member "name"')
  equal(error.message, 'model has no member "name"')
  const pointed = new WaybillError('DEFINITION_INVALID', { at: '/agent/model', message: 'wrong' })
  equal(`${pointed}`, 'WaybillError [DEFINITION_INVALID]: /agent/model: wrong')
  const plain = new WaybillError('FILE_UNREADABLE', { file: 'nosuch.yaml', message: 'there is no such file' })
  equal(`${plain}`, 'WaybillError [FILE_UNREADABLE]: nosuch.yaml: there is no such file')
})

test('a console shows code, place, hint and rule once, and the stack begins where the error was made', () => {
  const shown = inspect(new WaybillError('DEFINITION_INVALID', details))
  for (const text of [details.message, details.hint, details.rule, 'agent.yaml:5:30']) {
    equal(shown.split(text).length, 2, `${text} in ${shown}`)
  }
  match(shown.split('\n')[3] ?? '', /^ {4}at .*error-text\.test\.ts/)
  match(inspect(new WaybillError('INTERNAL', { message: 'x', cause: new Error('below') })), /below/)
})

test('an error that is not caught prints where and why in its first lines', () => {
  const module = join(import.meta.dirname, '../../src/document/issue.ts')
  const code = `import { WaybillError } from ${JSON.stringify(module)}
throw new WaybillError('DEFINITION_INVALID', ${JSON.stringify(details)})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  })
  equal(status, 1)
  const printed = stderr.slice(stderr.indexOf('WaybillError ['))
  match(
    printed,
    /^WaybillError \[DEFINITION_INVALID\]: agent\.yaml:5:30: model has no member "name"\n {2}hint AAIF/,
  )
  ok(!printed.includes('details'), printed)
})
