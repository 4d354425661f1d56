import type { CodeEntry } from '../document/codes/code-entry.ts'
import { CODE_AREAS } from '../document/codes.ts'
import type { Fault, WaybillError } from '../document/issue.ts'

/** The codes whose class alone does not give their HTTP status. */
const STATUS: ReadonlyMap<string, number> = new Map(
  CODE_AREAS.flatMap(({ codes }) =>
    Object.entries<CodeEntry>(codes).flatMap(([code, { status }]) =>
      status === undefined ? [] : [[code, status] as const],
    ),
  ),
)

/** `refused`: understood, and not permitted by a rule. `usage`: wrong in itself. `failed`: not the fault of the client. */
const BY_FAULT: Readonly<Record<Fault, number>> = { refused: 422, usage: 400, failed: 503 }

/** Returns the HTTP status of an error. */
export function statusOfError({ code, fault }: WaybillError): number {
  return STATUS.get(code) ?? BY_FAULT[fault]
}
