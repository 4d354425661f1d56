import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { McpOptions } from '../../../src/adapters/mcp/connections.ts'
import { type McpTools, openMcpTools } from '../../../src/adapters/mcp/mcp-tools.ts'
import { environmentSecrets } from '../../../src/adapters/secrets/environment-secrets.ts'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import type { McpProcess } from '../../../src/plan/operator-settings.ts'
import type { PlannedTool } from '../../../src/plan/plan.ts'
import { type CallOutcome, ToolFailure } from '../../../src/run/ports.ts'
import { toolNamed } from '../model-fixture.ts'
import { SCRIPTED } from './peers.ts'

export interface Opened {
  readonly mcp: McpTools
  call(tool: string, args?: JsonObject, more?: Partial<PlannedTool>, signal?: AbortSignal): Promise<Json>
}

/** MCP tools of a run, closed after the test. Calls go to the first server unless the binding says otherwise. */
export function openTools(t: TestContext, options: Partial<McpOptions>): Opened {
  const servers = options.servers ?? {}
  const mcp = openMcpTools({
    grants: { hosts: [] },
    env: { PATH: process.env.PATH },
    secrets: environmentSecrets(options.env ?? {}),
    secretGrants: [],
    ...options,
    servers,
  })
  t.after(() => mcp.close())
  const [server = 'none'] = Object.keys(servers)
  return {
    mcp,
    call: (tool, args = {}, more = {}, signal = new AbortController().signal) =>
      mcp.call(
        {
          tool: toolNamed(tool, { protocol: 'mcp', binding: { server, tool }, ...more }),
          args,
          key: 'run:1',
          headers: { traceparent: '00-trace' },
        },
        { signal },
      ),
  }
}

/** A scripted server, and its log. */
export function scripted(t: TestContext, script: JsonObject, more: Partial<McpProcess> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-mcp-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'log')
  const server: McpProcess = {
    command: process.execPath,
    args: [SCRIPTED, JSON.stringify({ ...script, log: file })],
    ...more,
  }
  const log = (): readonly string[] => {
    try {
      return readFileSync(file, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  return { server, log, folder }
}

export function failure(code: string, outcome: CallOutcome, says?: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ToolFailure, String(error))
    assert.equal(error.code, code, error.message)
    assert.equal(error.outcome, outcome)
    if (says !== undefined) assert.match(error.message, says)
    return true
  }
}
