import type { CommandEntry } from '../src/cli/command-entry.ts'

const HEADING = '## Commands\n\n'

/** Returns the README with the table of its section "Commands" made from the list of commands. */
export function withCommands(readme: string, commands: readonly CommandEntry[]): string {
  const start = readme.indexOf(HEADING) + HEADING.length
  // The text of the section begins after the table.
  const end = readme.indexOf('\n`waybill COMMAND --help`', start)
  if (start < HEADING.length || end === -1) throw new Error('README.md has no section "Commands"')
  return `${readme.slice(0, start)}${tableOf(commands)}${readme.slice(end)}`
}

/** A group has its heading in the row of its first command. Cells are padded, as the formatter of the pages does. */
function tableOf(commands: readonly CommandEntry[]): string {
  const rows = commands.map(({ name, group, summary }, index) => [
    `\`${name}\``,
    summary,
    commands[index - 1]?.group === group ? '' : group,
  ])
  const all = [['Command', 'What it does', 'Group'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`)
  return `${lines.join('\n')}\n`
}
