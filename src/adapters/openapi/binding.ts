/** How the arguments of one operation become a request: data, kept in the plan. */
export interface OperationBinding {
  readonly method: string
  /** Absolute, without a slash at its end. */
  readonly server: string
  readonly path: string
  readonly parameters: readonly ParameterBinding[]
  readonly body?: BodyBinding
  /** Where the credential goes; absent: this operation carries none. */
  readonly sign_in?: SignIn
}

export interface ParameterBinding {
  /** The argument's name. It differs from `name` where function-calling APIs would not take that. */
  readonly argument: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  /** `json`: the parameter is described by `content`, not by a style. */
  readonly style: Style | 'json'
  readonly explode: boolean
  readonly allow_reserved?: true
}

export type Style = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'

export interface BodyBinding {
  readonly argument: string
  readonly media_type: string
  readonly as: 'json' | 'form' | 'multipart' | 'text' | 'base64'
  /** By member of a form. */
  readonly members?: Readonly<Record<string, MemberBinding>>
}

export interface MemberBinding {
  readonly style?: Style
  readonly explode?: boolean
  readonly media_type?: string
  /** The argument holds the bytes in base64. */
  readonly base64?: true
}

/** As the document's securitySchemes place it; `declared` as the tool's auth block alone does. */
export type SignIn =
  | { readonly as: 'declared' }
  | { readonly as: 'bearer' | 'basic' }
  | { readonly as: 'key'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/** How the operations of a large document are reached: by searching it, and naming one. */
export interface IndexBinding {
  readonly part: 'find' | 'read' | 'write'
  /** Absolute path or URL. */
  readonly document: string
  /** Of its text: another document is not the one that was planned. */
  readonly sha256: string
  /** Which of its operations belong to the tool. */
  readonly fragment: string
}
