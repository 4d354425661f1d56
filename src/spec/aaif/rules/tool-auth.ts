import type { Finding } from '../../../document/finding.ts'
import type { AgentDefinition, ToolAuth } from '../generated/agent.ts'

export function* checkToolAuth({ agent }: AgentDefinition): Iterable<Finding> {
  for (const [index, { auth }] of (agent.tools ?? []).entries()) {
    if (auth !== undefined) yield* checkAuth(auth, `/agent/tools/${index}/auth`)
  }
}

function* checkAuth(auth: ToolAuth, pointer: string): Iterable<Finding> {
  const { type = 'none', env_var, vault_ref, header } = auth
  const named = env_var !== undefined || vault_ref !== undefined
  if (type === 'mtls') {
    yield {
      severity: 'warning',
      code: 'AUTH_NOT_PORTABLE',
      pointer: `${pointer}/type`,
      message: 'mtls is in the draft but not in the published schema: others may refuse this definition',
      hint: 'keep it only if every platform that reads this knows it',
      rule: 'AAIF-4.4-09',
    }
  }
  if (type !== 'none' && !named) {
    yield {
      severity: 'warning',
      code: 'AUTH_SECRET_UNNAMED',
      pointer,
      mark: 'key',
      message: `${type} needs a secret, and none is named`,
      hint: 'add "env_var": "NAME_OF_A_VARIABLE" or a "vault_ref"',
      rule: 'AAIF-4.4-10',
    }
  }
  if (type === 'none' && named) {
    yield {
      severity: 'warning',
      code: 'AUTH_SECRET_UNUSED',
      pointer,
      mark: 'key',
      message: 'a secret is named, but the type is none: it will not be sent',
      hint: 'add "type": bearer, api_key, oauth2, aws_sigv4 or basic',
      rule: 'SPEC-D-26',
    }
  }
  if (type === 'api_key' && header === undefined) {
    yield {
      severity: 'warning',
      code: 'AUTH_HEADER_MISSING',
      pointer: `${pointer}/header`,
      mark: 'parent',
      message: 'api_key does not say which header carries the key',
      hint: 'add "header", such as "X-API-Key"',
      rule: 'SPEC-D-26',
    }
  }
  if (env_var !== undefined) yield* checkVariableName(env_var, `${pointer}/env_var`)
}

/** `env_var` holds the name of a variable; people paste the value. The value itself is never repeated. */
function* checkVariableName(name: string, pointer: string): Iterable<Finding> {
  const shape = {
    pointer,
    hint: 'write the name of the variable, such as SEARCH_API_KEY',
    rule: 'AAIF-4.4-10',
  } as const
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    yield {
      ...shape,
      severity: 'error',
      code: 'ENV_VAR_NOT_A_NAME',
      message: 'env_var must be the name of an environment variable, and this is none',
    }
  } else if (name.length >= 20 && /[a-z]/.test(name) && /[A-Z]/.test(name) && /\d/.test(name)) {
    yield {
      ...shape,
      severity: 'warning',
      code: 'SECRET_SUSPECTED',
      message: 'this env_var looks like the secret itself rather than the name of a variable',
    }
  }
}
