import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { type ApiDocument, follow } from './api-document.ts'
import type { SignIn } from './binding.ts'
import type { Operation } from './operations.ts'

/** The members of a tool's auth block that decide where a credential is sent. */
export interface DeclaredAuth {
  readonly type?: string
  readonly header?: string
}

export interface JoinedAuth {
  /** Absent if no credential is sent. */
  readonly signIn?: SignIn
  readonly note?: string
}

/**
 * Combines the requirements of the document with the auth block of the tool (AAIF §4.4): the scheme defines where the
 * credential is sent, the auth block which credential. Public operations get no credential. Uses the first alternative
 * that one credential satisfies; if there is none, the auth block alone decides, as for http tools.
 */
export function joinAuth(
  document: ApiDocument,
  operation: Operation,
  auth: DeclaredAuth | undefined,
): JoinedAuth {
  const type = auth?.type ?? 'none'
  const asked = alternativesOf(document, operation)
  if (type === 'none') {
    if (asked.length === 0 || asked.some((schemes) => schemes.length === 0)) return {}
    return {
      note: `the document requires ${named(asked)}; no auth is declared, so calls are sent without it`,
    }
  }
  if (asked.length > 0 && asked.every((schemes) => schemes.length === 0)) return {}
  const several = asked.filter((schemes) => schemes.length > 1)
  for (const schemes of [...asked.filter(({ length }) => length === 1), ...several]) {
    for (const { scheme } of schemes) {
      const signIn = place(scheme, type, auth?.header)
      if (signIn === undefined) continue
      if (schemes.length === 1) return { signIn }
      return {
        signIn,
        note: `the document requires ${named([schemes])} together; only one credential is declared`,
      }
    }
  }
  const unlike = asked.some(({ length }) => length > 0)
  return {
    signIn: { as: 'declared' },
    ...(unlike && {
      note: `the document requires ${named(asked)}; the tool's auth.type ${type} is sent instead`,
    }),
  }
}

interface NamedScheme {
  readonly name: string
  readonly scheme: JsonObject
}

/** Each alternative with all its schemes; an empty alternative needs no credential. Undefined without a list. */
function alternativesOf(
  document: ApiDocument,
  { definition }: Operation,
): readonly (readonly NamedScheme[])[] {
  const stated = definition.security ?? document.root.security
  if (!Array.isArray(stated)) return []
  const components = isObject(document.root.components) ? document.root.components : {}
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {}
  if (stated.length === 0) return [[]]
  return (stated as readonly Json[]).filter(isObject).map((alternative) =>
    Object.keys(alternative).map((name) => ({
      name,
      scheme: follow(document, ownMember(schemes, name)) ?? {},
    })),
  )
}

/** Returns where a credential of this type is sent in a scheme; undefined if the scheme is of another kind. */
function place(scheme: JsonObject, type: string, header: string | undefined): SignIn | undefined {
  switch (scheme.type) {
    case 'http': {
      const http = typeof scheme.scheme === 'string' ? scheme.scheme.toLowerCase() : ''
      if (http === 'basic') return type === 'basic' ? { as: 'basic' } : undefined
      return http === 'bearer' && (type === 'bearer' || type === 'oauth2') ? { as: 'bearer' } : undefined
    }
    case 'oauth2':
    case 'openIdConnect':
      return type === 'bearer' || type === 'oauth2' ? { as: 'bearer' } : undefined
    case 'apiKey': {
      const { in: where, name } = scheme
      if (type !== 'api_key' || typeof name !== 'string') return undefined
      if (where !== 'header' && where !== 'query' && where !== 'cookie') return undefined
      // The header that the agent's author declares takes precedence.
      return { as: 'key', in: where, name: where === 'header' ? (header ?? name) : name }
    }
    default:
      return undefined
  }
}

function named(alternatives: readonly (readonly NamedScheme[])[]): string {
  const each = alternatives
    .filter(({ length }) => length > 0)
    .map((schemes) => schemes.map(({ name, scheme }) => `${name} (${kindOf(scheme)})`).join(' and '))
  return [...new Set(each)].join(' or ')
}

function kindOf(scheme: JsonObject): string {
  if (scheme.type === 'apiKey') return `an api_key in ${String(scheme.in)} ${String(scheme.name)}`
  if (scheme.type === 'http') return `http ${String(scheme.scheme)}`
  return typeof scheme.type === 'string' ? scheme.type : 'not described'
}
