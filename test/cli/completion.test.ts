import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { Place, waybill } from './fixture.ts'

/** Returns the completions of bash. */
function offered(script: string, ...words: string[]): string[] {
  const line = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _waybill; printf '%s\\n' "\${COMPREPLY[@]}"`
  const child = spawnSync('bash', ['-c', line, 'bash', 'waybill', ...words], { encoding: 'utf8' })
  assert.equal(child.stderr, '')
  return child.stdout.split('\n').filter((word) => word !== '')
}

test('bash completes commands, their subcommands, options and the values of options', async (t) => {
  const place = new Place(t)
  const { out } = await waybill(place, ['completion', 'bash'])
  assert.deepEqual(
    offered(out, ''),
    COMMANDS.map(({ name }) => name),
  )
  assert.deepEqual(offered(out, 'approvals', 'a'), ['approve', 'assume'])
  assert.deepEqual(offered(out, 'run', 'agent.json', '--reh'), ['--rehearse'])
  assert.deepEqual(offered(out, 'runs', 'list', '--status', 'inter'), ['interrupted'])
  assert.deepEqual(offered(out, 'validate', '--format', 's'), ['sarif'])
  assert.deepEqual(offered(out, 'completion', ''), ['bash', 'zsh', 'fish'])
})

test('every command is in the script of every shell', async (t) => {
  const place = new Place(t)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await waybill(place, ['completion', shell])
    assert.equal(code, 0)
    for (const { name } of COMMANDS) assert.ok(out.includes(`'${name}'`), `${name} in ${shell}`)
  }
  assert.equal((await waybill(place, ['completion', 'tcsh'])).code, 2)
})
