/**
 * Runs command lines that another process sends, one at a time, with standard input as an open pipe. Many commands share
 * one process, because the start of a process takes longer than most commands.
 */
import { main } from '../../src/cli/main.ts'

export interface CommandLine {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

process.on('message', async ({ argv, cwd, env }: CommandLine) => {
  let out = ''
  let err = ''
  const code = await main(argv, {
    cwd,
    env,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    stdin: process.stdin,
    outIsTty: false,
    errIsTty: false,
    color: false,
  })
  process.send?.({ code, out, err } satisfies Ended)
})
