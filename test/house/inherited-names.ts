import { relative, resolve } from 'node:path'
import { type Expression, type Node, SyntaxKind } from 'typescript/unstable/ast'
import { isBinaryExpression, isElementAccessExpression } from 'typescript/unstable/ast/is'
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'

export interface Lookup {
  /** Path of the file, from the root of the project. */
  readonly file: string
  readonly line: number
  /** The index, such as `claims[name]`. */
  readonly text: string
}

/**
 * Finds reads such as `record[name]` on an object with a string index, which also find `constructor` and the other
 * inherited names. Not found: an index that is a literal or a key of the same object (`Object.keys`, `Object.entries`),
 * and one in a function that asks `Object.hasOwn` of the same object.
 * @param config path of a tsconfig.json
 * @param folder only the files below this folder
 */
export function findInheritedNames(config: string, folder: string): Lookup[] {
  const root = resolve(config, '..')
  using api = Object.assign(new API({ cwd: root }), {
    [Symbol.dispose](this: API) {
      this.close()
    },
  })
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  if (project === undefined) throw new Error(`${config} is not a project`)
  const { program, checker } = project
  const found: Lookup[] = []
  for (const name of program.getSourceFileNames().filter((each) => each.startsWith(`${folder}/`))) {
    const source = program.getSourceFile(name)
    if (source === undefined) throw new Error(`${name} has no source`)
    const text = (node: Node) => source.text.slice(node.pos, node.end).trim()
    for (const { node, record, index } of candidates(source, text)) {
      if (!isNamedByText(checker, record, index)) continue
      const line = source.text.slice(0, record.end).split('\n').length
      found.push({ file: relative(root, name), line, text: text(node).replaceAll(/\s+/g, ' ') })
    }
  }
  return found
}

interface Candidate {
  readonly node: Node
  readonly record: Expression
  readonly index: Expression
}

function candidates(source: Node, text: (node: Node) => string): Candidate[] {
  const found: Candidate[] = []
  /** @param around the texts of the functions and loops around the node */
  const visit = (node: Node, around: readonly Node[]) => {
    if (isElementAccessExpression(node) && !isLiteral(node.argumentExpression) && !isAssigned(node)) {
      const { expression: record, argumentExpression: index } = node
      if (!isGuarded(text(record), around.map(text))) found.push({ node, record, index })
    }
    const inner = SCOPES.has(node.kind) ? [...around, node] : around
    node.forEachChild((child) => visit(child, inner))
  }
  visit(source, [])
  return found
}

const SCOPES: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.Constructor,
])
const LITERALS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
])

const isLiteral = (node: Node) => LITERALS.has(node.kind)

/** Returns true for the left side of an assignment, which reads nothing. */
function isAssigned(node: Node): boolean {
  const { parent } = node
  return (
    parent.kind === SyntaxKind.DeleteExpression ||
    (isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === SyntaxKind.EqualsToken)
  )
}

/** Returns true if the functions around it ask whether the name is a member of the record, or take it from its keys. */
function isGuarded(record: string, around: readonly string[]): boolean {
  const name = record.replace(/^\((\S+) as .*\)$/s, '$1').replaceAll(/[!?]/g, '')
  return around.some((body) =>
    ['hasOwn', 'keys', 'entries'].some((ask) => body.includes(`Object.${ask}(${name}`)),
  )
}

/** Returns true if an object with a string index is read with a text that is not one of a known set. */
function isNamedByText(checker: Checker, record: Expression, index: Expression): boolean {
  const name = checker.getTypeAtLocation(index)
  const type = checker.getTypeAtLocation(record)
  if (name === undefined || type === undefined || !isText(name)) return false
  return parts(type).some((part) =>
    checker.getIndexInfosOfType(part).some(({ keyType }) => (keyType.flags & TypeFlags.String) !== 0),
  )
}

const parts = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes() : [type])

/** Returns true for `string`, and for a union, a template or a type parameter that may be any text. */
const isText = (type: Type): boolean => parts(type).some((part) => (part.flags & OPEN) !== 0)

const OPEN =
  TypeFlags.Any |
  TypeFlags.String |
  TypeFlags.TemplateLiteral |
  TypeFlags.StringMapping |
  TypeFlags.TypeVariable
