import { firstDigits } from '../../document/exact-numbers.ts'
import type { ToolRequest } from '../../run/ports.ts'
import { ToolFailure } from '../../run/ports.ts'

/** @throws ToolFailure `unsent` for arguments that code would get as another number; the model is asked to send text */
export function assertDoubles({ tool, args }: Pick<ToolRequest, 'tool' | 'args'>): void {
  const digits = firstDigits(args)
  if (digits === undefined) return
  const message = `${tool.name} was not called: its code cannot take the number ${digits} without changing it; send it as text`
  throw new ToolFailure('TOOL_NUMBER_INEXACT', message, 'unsent')
}
