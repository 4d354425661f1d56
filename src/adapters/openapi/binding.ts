/** How the arguments of one operation are converted to a request: data, stored in the plan. */
export interface OperationBinding {
  readonly method: string
  /** Absolute, without a final slash. */
  readonly server: string
  readonly path: string
  readonly parameters: readonly ParameterBinding[]
  readonly body?: BodyBinding
  /** Where the credential is sent; absent if the operation needs none. */
  readonly sign_in?: SignIn
}

export interface ParameterBinding {
  /** Name of the argument. Differs from `name` if function-calling APIs do not accept that. */
  readonly argument: string
  readonly name: string
  /** `querystring`: the value is the whole query (OpenAPI 3.2). */
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  /** `json`: the parameter is described by `content`, not by a style. */
  readonly style: Style | 'json'
  readonly explode: boolean
  readonly allow_reserved?: true
}

export type Style = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'

export interface BodyBinding {
  readonly argument: string
  readonly media_type: string
  /** The type of a body that is a list, if it is another: a JSON Patch is a list, a merge patch is not. */
  readonly list_media_type?: string
  readonly as: 'json' | 'form' | 'multipart' | 'text' | 'base64'
  /** By member of a form. */
  readonly members?: Readonly<Record<string, MemberBinding>>
}

export interface MemberBinding {
  readonly style?: Style
  readonly explode?: boolean
  readonly media_type?: string
  /** The argument contains the bytes in base64. */
  readonly base64?: true
}

/** As in the securitySchemes of the document; `declared` as in the auth block of the tool. */
export type SignIn =
  | { readonly as: 'declared' }
  | { readonly as: 'bearer' | 'basic' }
  | { readonly as: 'key'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/** How operations of a large document are called: by search, then by name. */
export interface IndexBinding {
  readonly part: 'find' | 'read' | 'write'
  /** Absolute path or URL. */
  readonly document: string
  /** Hash of its text, to detect a changed document. */
  readonly sha256: string
  /** The operations that belong to the tool. */
  readonly fragment: string
}
