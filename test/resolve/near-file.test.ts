import { equal } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { nearFile } from '../../src/resolve/near-file.ts'

test('a path that does not exist: the definition beside it that was probably meant', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-near-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['agent.yaml', 'clerk.json', 'agent.mjs', '.agent.schema.json', 'notes.txt'])
    writeFileSync(join(folder, name), '')
  const near = (name: string) => nearFile(join(folder, name))
  equal(near('agent.yml'), join(folder, 'agent.yaml'))
  equal(near('agnet.yaml'), join(folder, 'agent.yaml'))
  equal(near('Clerk.yaml'), join(folder, 'clerk.json'))
  equal(near('notes.yaml'), undefined)
  equal(near('other.yaml'), undefined)
  equal(near('gone/agent.yaml'), undefined)
})
