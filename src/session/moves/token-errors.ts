import { WaybillError } from '../../document/issue.ts'

/** A run that is being moved is not a fork: without a token, its source would continue as well. @param otherwise what else can be done */
export function tokenMissing(otherwise?: string): WaybillError {
  const also = otherwise === undefined ? '' : `; ${otherwise}`
  return new WaybillError('STATE_TOKEN_MISSING', {
    fault: 'refused',
    message: 'the state is of a run that is being moved, and has no migration token',
    at: '/provenance/migration_token',
    hint: `move the run with \`waybill migrate\`, or export a state of it with \`waybill state export\`, which is a fork${also}`,
    rule: 'AAIF-8.2-04',
  })
}

/** @param who knows more about it */
export function tokenUsed(who: string): WaybillError {
  return new WaybillError('STATE_TOKEN_USED', {
    fault: 'refused',
    message: 'a state was imported with this migration token before, or the token was withdrawn',
    at: '/provenance/migration_token',
    hint: `${who}; request a new token from the sender`,
    rule: 'AAIF-12-10',
  })
}
