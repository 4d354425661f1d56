import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadedFiles } from '../../scripts/loaded-files.ts'
import { Place, ROOT } from './fixture.ts'

/** The files of ours and of packages that a command line loads, relative to the repository. */
function loadedBy(place: Place, argv: readonly string[]): string[] {
  const env = place.env as NodeJS.ProcessEnv
  const { files } = loadedFiles([join(ROOT, 'bin/main.mjs'), ...argv], { cwd: place.folder, env })
  return files.map((file) => file.slice(`${ROOT}/`.length))
}

/** Every output needs it, and it needs no other module. */
const SAFE_TEXT = 'src/cli/terminal/plain-text.ts'
const DRIVING = ['src/run/drive/', 'src/session/agent-sessions.ts']
const CHECKING = ['src/spec/aaif/', 'src/resolve/']
const FETCHING = ['src/adapters/net/', 'src/adapters/records/', 'src/cli/home.ts']
const DECIDING = ['src/session/leave-decision.ts', 'src/policy/pii/', 'src/secret/redact.ts']

test('validating loads no other command, no model, no prompt and no run', (t) => {
  const loaded = loadedBy(new Place(t), ['validate', 'agent.json'])
  assert.ok(loaded.includes('src/cli/validate/validate.ts'))
  const packages = new Set(
    loaded.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
  )
  assert.deepEqual([...packages], ['commander'])
  for (const folder of ['src/run/', 'src/plan/', 'src/adapters/', 'src/testing/', 'src/cli/terminal/'])
    assert.deepEqual(
      loaded.filter((file) => file.startsWith(folder) && file !== SAFE_TEXT),
      [],
      folder,
    )
})

test('help of a command loads the declaration of that command alone', (t) => {
  const place = new Place(t)
  for (const command of ['chat', 'runs', 'approvals', 'init', 'resume', 'keys', 'sign', 'audit']) {
    const loaded = loadedBy(place, [command, '--help']).filter((file) => /^src\/cli\/\w+\//.test(file))
    const shared = loaded.filter((file) => /^src\/cli\/(?:options|terminal)\//.test(file))
    assert.deepEqual(
      loaded.filter((file) => !shared.includes(file)),
      [`src/cli/${command}/${command}-command.ts`],
    )
  }
})

test('a command does not load modules that only other commands need', (t) => {
  const place = new Place(t)
  const platform = { name: 'Post office', version: '1', aaif_conformance_level: 'Core', capabilities: {} }
  place.write('manifest.json', JSON.stringify({ sc_standard: 'SC-006', sc_version: '3.4.0', platform }))
  const table: readonly (readonly [argv: readonly string[], needed: string, spared: readonly string[]])[] = [
    [['plan', 'agent.json'], 'src/compose/prepare.ts', DRIVING],
    [['tools', 'list', 'agent.json'], 'src/compose/prepare.ts', DRIVING],
    [['canonicalize', 'agent.json'], 'src/document/canonical.ts', CHECKING],
    [['transcode', 'agent.json', '--to', 'yaml'], 'src/document/encode-document.ts', CHECKING],
    [['verify', 'agent.json'], 'src/cli/files/read-any-document.ts', CHECKING],
    [['sign', 'agent.json', '--key', 'none'], 'src/cli/files/read-any-document.ts', CHECKING],
    [['init', '--name', 'A', '--goal', 'B.'], 'src/cli/init/write-first-definition.ts', CHECKING],
    [['runs', 'import', 'agent.json'], 'src/cli/runs/import-run.ts', CHECKING],
    [['runs', 'list'], 'src/session/listed-runs.ts', DECIDING],
    [['approvals', 'list'], 'src/session/waiting-approval.ts', DECIDING],
    [
      ['negotiate', 'agent.json', '--manifest', 'manifest.json'],
      'src/plan/negotiation/negotiate.ts',
      FETCHING,
    ],
  ]
  for (const [argv, needed, spared] of table) {
    const loaded = loadedBy(place, argv)
    assert.ok(loaded.includes(needed), argv.join(' '))
    for (const part of spared)
      assert.deepEqual(
        loaded.filter((file) => file.startsWith(part)),
        [],
        argv.join(' '),
      )
  }
})
