/** Measures calls of functions in this process and in a process of their module: `node bench/functions/run.ts`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FunctionProcesses } from '../../src/adapters/functions/function-processes.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { loadToolModule, type ToolModule } from '../../src/adapters/tools/tool-module.ts'

const CALLS = 5000
const WARM_UP = 500

const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-functions-'))
const file = join(folder, 'module.mjs')
writeFileSync(file, 'export const tools = { echo: async (args) => args }')
const processes = new FunctionProcesses({ onLine: () => {} })

async function measure(name: string, module: ToolModule, args: { readonly text: string }): Promise<void> {
  const port = createFunctionTool(module)
  const request = { tool: { name: 'echo' } as never, args, key: 'k' }
  const { signal } = new AbortController()
  const times: number[] = []
  const began = performance.now()
  await port.call(request, { signal })
  const first = performance.now() - began
  for (let n = 0; n < WARM_UP + CALLS; n++) {
    const start = performance.now()
    await port.call(request, { signal })
    if (n >= WARM_UP) times.push((performance.now() - start) * 1000)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(share * times.length)] ?? 0).toFixed(0)
  const shown = `first ${first.toFixed(0)} ms, then p50 ${at(0.5)} µs, p99 ${at(0.99)} µs`
  process.stdout.write(`${name}, ${args.text.length} characters: ${shown}\n`)
}

try {
  for (const size of [100, 100_000]) {
    const args = { text: 'x'.repeat(size) }
    await measure('in process', await loadToolModule(file), args)
    const module = { name: 'm', file, env: {}, kept: { home: folder, closed: [] } }
    await measure('own process', await processes.moduleOf(module, `org-${size}`), args)
  }
  const [pid] = processes.pids
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  process.stdout.write(`memory of a process: ${Math.round(Number(memory) / 1024)} MiB\n`)
} finally {
  await processes.close()
  rmSync(folder, { recursive: true, force: true })
}
