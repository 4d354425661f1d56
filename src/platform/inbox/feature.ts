import type { Feature, Opened } from '../feature.ts'
import type { Approvals, Inbox } from './approval.ts'
import { approvalsOf } from './approvals.ts'
import { ballotOf } from './ballot.ts'
import type { RuleMaking } from './decision.ts'
import { type InboxOptions, InboxWorker } from './inbox-worker.ts'
import { listQuestions } from './list-questions.ts'
import { INBOX_ROUTES } from './routes.ts'
import { INBOX_TABLES } from './tables.ts'
import { type InboxParts, inboxOf } from './tenant-inbox.ts'

/** @public It is named by the declarations of the package. */
export interface Parts {
  readonly inbox: InboxOptions
}

export const INBOX = {
  name: 'inbox',
  tables: INBOX_TABLES,
  members: {
    approvals(opened: Opened, parts: Parts): Approvals {
      const own = partsOf(opened, parts)
      return approvalsOf(opened.home, opened.principal, ballotOf(own), (query) => listQuestions(own, query))
    },
    inbox: (opened: Opened, parts: Parts): Inbox => inboxOf(partsOf(opened, parts)),
  },
  tags: {
    approvals: 'The inbox: calls that wait for a person, their decisions, and policies for questions.',
  },
  routes: INBOX_ROUTES,
  work:
    ({ inbox }: Parts) =>
    (host) =>
      new InboxWorker(host, inbox),
} satisfies Feature<
  Parts,
  { readonly approvals: Approvals; readonly inbox: Inbox; readonly rules: RuleMaking }
>

function partsOf({ home, ...opened }: Opened, { inbox: { mail, publicUrl } }: Parts): InboxParts {
  return {
    ...opened,
    mails: mail !== undefined,
    records: home,
    sync: { pool: opened.app, org: opened.org, records: home, publicUrl },
  }
}
