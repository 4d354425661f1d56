import type { CodeEntries } from './code-entry.ts'

export const PLATFORM_CODES = {
  AGENT_NOT_ACTIVE: {
    status: 409,
    meaning: 'The agent has no active version, or the named version is pending or deprecated.',
    remedy: 'Activate a version with `POST /v1/agents/ID/activate`.',
  },
  VERSION_IS_DRAFT: {
    meaning: 'A draft, which is known by its digest only, cannot be activated, labelled or deprecated.',
    remedy: 'Give the definition a new `agent.version`, and upload it.',
  },
  VERSION_NOT_FOUND: {
    status: 404,
    meaning: 'The agent has no version or label of this name.',
    remedy: 'List the versions with `GET /v1/agents/ID/versions`.',
  },
  VERSION_EXISTS: {
    status: 409,
    meaning: 'This version of the agent was uploaded before, with other bytes.',
    remedy: 'Give the changed definition a new version.',
  },
  LABEL_INVALID: {
    meaning: 'The label of a version has other characters than permitted, or is too long.',
    remedy: 'Use at most 63 letters, digits, `.`, `_` and `-`, and begin with a letter.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    meaning: 'The organisation has no session with this name.',
    remedy: 'List the sessions with `GET /v1/sessions`.',
  },
  SESSION_EXISTS: {
    status: 409,
    meaning: 'There is a session with this name, of another agent or user.',
    remedy: 'Use another name.',
  },
  SESSION_BUSY: {
    status: 409,
    meaning: 'A turn of the session is active, or messages wait for their turn, and `on_busy` is `reject`.',
    remedy: 'Wait for its end, or choose another `on_busy`.',
  },
  ORGANISATION_EXISTS: {
    status: 409,
    meaning: 'An organisation has this name.',
    remedy: 'Choose another name.',
  },
  ORGANISATION_NOT_FOUND: {
    status: 404,
    meaning: 'There is no organisation with this name, or you may not know it.',
    remedy: 'List the organisations with `GET /v1/organisations`.',
  },
  ORGANISATION_WITHOUT_ADMIN: {
    status: 409,
    meaning: 'The change would leave the organisation without a person who is its admin.',
    remedy: 'Make another person an admin first.',
  },
  TOKEN_IS_LAST: {
    status: 409,
    meaning: 'Without this token, no admin of the organisation has a token.',
    remedy: 'Create another one first, or confirm it with `?confirm=self`.',
  },
  MEMBER_NOT_FOUND: {
    status: 404,
    meaning: 'The organisation has no such member, or has removed it.',
    remedy: 'Add it with `POST /v1/organisations/ORG/members`.',
  },
  TEAM_NOT_FOUND: {
    status: 404,
    meaning: 'The organisation has no such team.',
    remedy: 'Add it with `POST /v1/organisations/ORG/teams`.',
  },
  TOKEN_NOT_FOUND: {
    status: 404,
    meaning: 'There is no token with this id, it is revoked, or it belongs to another user.',
    remedy: 'List the tokens with `GET /v1/tokens`.',
  },
  SCOPE_MISSING: {
    status: 403,
    meaning: 'The token is limited to scopes, and the request needs another one.',
    remedy: 'Use a token with the scope that the hint names.',
  },
  CSRF_REFUSED: {
    status: 403,
    meaning:
      'A request with the cookie of a browser session comes from another site, or lacks the header x-csrf-token.',
    remedy: 'Send the value that `GET /v1/browser-session` returns, from a page of this server.',
  },
  CONNECTION_UNENCRYPTED: {
    status: 403,
    meaning: 'A request has reached the server without TLS and not through the trusted proxy.',
    remedy: 'Use https through the proxy.',
  },
  ADDRESS_NOT_PROTECTED: {
    meaning: 'The server would listen at a public address without TLS.',
    remedy: 'Give `--cert` and `--key`, or `--trusted-proxy`, and `--public-url`.',
  },
  ADMIN_TOKEN_NOT_ROTATED: {
    meaning:
      'The admin token of the first start is still valid, and the server would listen at a public address.',
    remedy: 'Create a token of your own, and revoke the first one.',
  },
  SECRET_NOT_FOUND: {
    status: 404,
    meaning: 'The organisation has no secret with this name.',
    remedy: 'List the secrets with `GET /v1/secrets`, or set one with `PUT /v1/secrets/NAME`.',
  },
  SECRET_IS_TOKEN: {
    status: 422,
    meaning:
      'The value of a secret contains a token of the platform, with which an agent could act as a member.',
    remedy: 'Store the key of the provider or tool.',
  },
  SECRET_UNREADABLE: {
    meaning:
      'A stored secret cannot be decrypted: its row was changed or moved, or the key of another installation is used.',
    remedy: 'Set the secret again, or restore `keys/secrets/` that belongs to the database.',
  },
  SECRET_KEY_MISSING: {
    meaning: 'The key of the installation that protects the stored secrets is not in its file.',
    remedy: 'Restore `keys/secrets/installation.key`, or copy it from the machine on which it was rotated.',
  },
  POLICY_NOT_FOUND: {
    status: 404,
    meaning: 'The organisation has no such approval policy.',
    remedy: 'List the policies with `GET /v1/approval-policies`, or add one with `PUT`.',
  },
  POLICY_LIMIT: {
    status: 409,
    meaning: 'The organisation has as many approval policies as it may have.',
    remedy: 'Remove one that is not used.',
  },
  APPROVAL_SAME_PERSON: {
    status: 403,
    meaning:
      'Another vote on this question may be of the same person: after the run had begun, one of the two members has made the token with which the other votes.',
    remedy: 'Vote with a token that the member has made, or that is older than the run.',
  },
  STARTER_MAY_NOT_DECIDE: {
    status: 403,
    meaning:
      'The approval policy does not let the people decide who have caused the call, directly or through another run, a trigger, or a token that they have made since the run began.',
    remedy: 'Let another approver decide.',
  },
  MAIL_NOT_CONFIGURED: {
    meaning: 'An approval policy would send mails, and the operator has configured no mail server.',
    remedy: 'Set `mail` in the configuration, or notify webhooks only.',
  },
  MEMBER_WITHOUT_MAIL: {
    status: 422,
    meaning: 'An approval policy names a member without a mail address.',
    remedy: 'Set `mail` of the member with `POST /v1/organisations/ORG/members`.',
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    meaning: 'The organisation has no such webhook.',
    remedy: 'List the webhooks with `GET /v1/webhooks`, or add one with `POST`.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: 'The webhook has no such delivery, or it was removed after 30 days.',
    remedy: 'List the deliveries with `GET /v1/webhooks/WEBHOOK/deliveries`.',
  },
  WEBHOOK_INACTIVE: {
    status: 409,
    meaning: 'The webhook is deactivated, by a person or because its receiver accepts no messages.',
    remedy: 'Read `why`, and activate it again with `PUT /v1/webhooks/WEBHOOK`.',
  },
  WEBHOOK_LIMIT: {
    status: 409,
    meaning: 'The organisation has as many webhooks as it may have.',
    remedy: 'Remove one that is not used.',
  },
  TRIGGER_NOT_FOUND: {
    status: 404,
    meaning: 'The organisation has no such trigger.',
    remedy: 'List the triggers with `GET /v1/triggers`, or add one with `POST`.',
  },
  TRIGGER_DISABLED: {
    status: 409,
    meaning:
      'The trigger is disabled, by a person or because the member that it acts for may not start runs.',
    remedy: 'Read `why`, and enable it with `PUT /v1/triggers/ID`.',
  },
  TRIGGER_DECLARED: {
    status: 409,
    meaning: 'The trigger comes from the definition of its agent, which alone changes and removes it.',
    remedy: 'Upload a version with another trigger, or disable the trigger with `PUT /v1/triggers/ID`.',
  },
  TRIGGER_LIMIT: {
    status: 409,
    meaning: 'The organisation has as many triggers as it may have.',
    remedy: 'Remove one that is not used.',
  },
  HOOK_REFUSED: {
    status: 401,
    meaning: 'There is no such hook, or the message is not signed correctly, too old or from the future.',
    remedy: 'Compare URL, secret and format with those of the trigger, and the clock of the sender.',
  },
  ROLE_EXCEEDED: {
    status: 403,
    meaning: 'A token would have a role that its user does not have, or that its creator may not give.',
    remedy: 'Name fewer roles, or give the member the role first.',
  },
  RUNS_STOPPED: {
    status: 409,
    meaning:
      'A stop covers the organisation, the agent, the user or the run, so nothing starts or continues.',
    remedy: 'Wait until it is lifted, or lift it with `DELETE /v1/stops/ID`.',
  },
  STOP_NOT_FOUND: {
    status: 404,
    meaning: 'There is no active stop with this id.',
    remedy: 'List the active stops with `GET /v1/stops`.',
  },
  USER_BEING_ERASED: {
    status: 409,
    meaning: 'The data of this user is being erased, so nothing new of this user is stored.',
    remedy: 'Wait until `GET /v1/erasures` no longer shows the erasure as pending, usually some seconds.',
  },
  ERASURE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no erasure with this id.',
    remedy: 'List the erasures with `GET /v1/erasures`.',
  },
  BUDGET_EXHAUSTED: {
    status: 402,
    meaning: 'A budget of the organisation, the user or the agent is used up.',
    remedy: 'Wait for the next period, or raise the budget.',
  },
  RUN_SET_ASIDE: {
    status: 409,
    meaning:
      'The run stopped its worker too often, or its legs failed too often, and is not tried again by itself.',
    remedy: 'Find the cause in `why`, then retry the run.',
  },
  RUN_ENDED: {
    status: 409,
    meaning: 'The run has ended, so it can neither be paused nor resumed.',
    remedy: 'Start a new run, or send a message to its session.',
  },
  CERTIFICATE_UNUSABLE: {
    meaning:
      'The file of `--cert` or `--key` is not a certificate or a private key in PEM, or the two do not belong together.',
    remedy:
      'Give the certificate of the server with its chain, and its own private key without a passphrase.',
  },
  EVENT_ID_AHEAD: {
    status: 409,
    meaning: 'The event after which a client wants to read is later than the last one of the run.',
    remedy:
      'Read the events again from the beginning. The platform was restored from a backup, or the id is of another run.',
  },
  PORT_UNAVAILABLE: {
    meaning: 'The server cannot listen on the port.',
    remedy: 'Stop the program that uses it, or choose another port.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    meaning: 'The `Idempotency-Key` was used with another body.',
    remedy: 'Use a new key for a new request.',
  },
} as const satisfies CodeEntries
