import type { Finding } from '../../../document/finding.ts'
import type { AgentDefinition, ToolAuth } from '../generated/agent.ts'

export function checkToolAuth({ agent }: AgentDefinition): readonly Finding[] {
  const findings: Finding[] = []
  for (const [index, { auth }] of (agent.tools ?? []).entries()) {
    if (auth === undefined) continue
    findings.push(...checkAuth(auth, index))
    if (auth.env_var === undefined) continue
    const finding = checkVariableName(auth.env_var, index)
    if (finding !== undefined) findings.push(finding)
  }
  return findings
}

function checkAuth(
  { type = 'none', env_var, vault_ref, header }: ToolAuth,
  index: number,
): readonly Finding[] {
  const named = env_var !== undefined || vault_ref !== undefined
  const findings: Finding[] = []
  if (type === 'mtls') {
    findings.push({
      severity: 'warning',
      code: 'AUTH_NOT_PORTABLE',
      pointer: `/agent/tools/${index}/auth/type`,
      message:
        'mtls is in the draft but not in the published schema: other readers may refuse this definition',
      hint: 'keep it only if all your platforms support it',
      rule: 'AAIF-4.4-09',
    })
  }
  if (type !== 'none' && !named) {
    findings.push({
      severity: 'warning',
      code: 'AUTH_SECRET_UNNAMED',
      pointer: `/agent/tools/${index}/auth`,
      mark: 'key',
      message: `${type} needs a secret, but env_var and vault_ref are missing`,
      hint: 'add "env_var": "NAME_OF_A_VARIABLE" or a "vault_ref"',
      rule: 'AAIF-4.4-10',
    })
  }
  if (type === 'none' && named) {
    findings.push({
      severity: 'warning',
      code: 'AUTH_SECRET_UNUSED',
      pointer: `/agent/tools/${index}/auth`,
      mark: 'key',
      message: 'a secret is named, but `type` is "none": the secret will not be sent',
      hint: 'add "type": bearer, api_key, oauth2, aws_sigv4 or basic',
      rule: 'SPEC-D-26',
    })
  }
  if (type === 'api_key' && header === undefined) {
    findings.push({
      severity: 'warning',
      code: 'AUTH_HEADER_MISSING',
      pointer: `/agent/tools/${index}/auth/header`,
      mark: 'parent',
      message: 'api_key needs the header that carries the key',
      hint: 'add "header", such as "X-API-Key"',
      rule: 'SPEC-D-26',
    })
  }
  return findings
}

/** Checks that `env_var` is the name of a variable and not a pasted secret. The message never repeats the value. */
function checkVariableName(name: string, index: number): Finding | undefined {
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
  if (isName && !(name.length >= 20 && /[a-z]/.test(name) && /[A-Z]/.test(name) && /\d/.test(name)))
    return undefined
  const message = isName
    ? 'this env_var looks like the secret itself rather than the name of a variable'
    : 'env_var must be the name of an environment variable'
  return {
    severity: isName ? 'warning' : 'error',
    code: isName ? 'SECRET_SUSPECTED' : 'ENV_VAR_NOT_A_NAME',
    pointer: `/agent/tools/${index}/auth/env_var`,
    message,
    hint: 'write the name of the variable, such as SEARCH_API_KEY',
    rule: 'AAIF-4.4-10',
  }
}
