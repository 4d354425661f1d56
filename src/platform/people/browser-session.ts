import { answer, flag, list, nullable, text } from '../../http/schema.ts'

export const browserSession = answer('The session of a browser.', {
  csrf: text('The value of the header x-csrf-token; empty if the request came with a token.'),
  organisation: text('The organisation.'),
  user: text('Who is signed in.'),
  roles: list(text('A role.')),
  expires_at: nullable(text('When the session ends at the latest.')),
})

export const endedSession = answer('The end of a session.', { ended: flag('Whether there was one.') })

/** A session as its browser gets it. */
export interface OpenedSession {
  /** The value of the cookie. */
  readonly cookie: string
  /** Must come with each request that changes something. */
  readonly csrf: string
  /** RFC 3339 */
  readonly expires_at: string
}

/** The sessions of people who are signed in with a browser. */
export interface BrowserSessions {
  /** Opens a session with the rights of a principal. @throws PERSON_REQUIRED for a service account */
  open(): Promise<OpenedSession>
  /** Ends the session of the principal, if it came with one. */
  end(): Promise<void>
}
