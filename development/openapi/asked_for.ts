import ts from 'typescript'
import { type Body, reachOf, walk, withHelpers } from '#development/openapi/reach'
import { literalsAt } from '#development/openapi/answers'
import type { SourceCode } from '#development/openapi/source_code'

/** An exported value of the source that describes a request: a Vine validator or a JSON Schema. */
export interface SchemaReference {
  module: string
  name: string
}

export interface PathParameter {
  kind: 'id' | 'email' | 'text'
  maxLength?: number
}

/** What a controller method reads from its request. */
export interface AskedFor {
  body: SchemaReference[]
  query: SchemaReference[]
  parameters: Record<string, PathParameter>
  headers: string[]
  /** Content types of a body that is no JSON. */
  consumes: string[]
}

const PARAMETER_READERS: Record<string, PathParameter['kind']> = {
  idParam: 'id',
  emailParam: 'email',
  textParam: 'text',
}

/** Read on every route, by guards and body readers, or of no meaning to clients. */
const COMMON_HEADERS = new Set(['content-type', 'authorization', 'x-request-id', 'accept'])

/**
 * Reads a controller method: validators given `request.body()` or `request.qs()`, path parameters taken with `idParam`,
 * `emailParam` and `textParam`, headers. A reader of bodies other than Vine says what it takes with `@describedBy
 * file#export`, of a file beside it, and `@consumes` where that is no JSON.
 */
export function askedFor(method: ts.MethodDeclaration, source: SourceCode): AskedFor {
  const asked: AskedFor = { body: [], query: [], parameters: {}, headers: [], consumes: [] }
  for (const body of withHelpers(method, source))
    walk(body, (node) => readCall(node, asked, source))
  asked.headers = headersRead(method, source)
  return asked
}

function readCall(node: ts.Node, asked: AskedFor, source: SourceCode) {
  if (!ts.isCallExpression(node)) return
  const callee = ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name
    : node.expression
  const kind = PARAMETER_READERS[callee.getText()]
  if (kind) return readParameter(node, kind, asked, source)
  if (callee.getText() === 'validate' && ts.isPropertyAccessExpression(node.expression)) {
    const part = partOf(node.arguments[0], source)
    if (part) asked[part].push(referenceTo(node.expression.expression, source))
    return
  }
  const reader = source.declarationAt(callee)
  if (!reader) return
  for (const { tagName, comment } of ts.getJSDocTags(reader)) {
    const text = String(comment ?? '').trim()
    const name = tagName.text
    if (name === 'describedBy') asked.body.push(beside(source.pathOf(reader), text))
    if (name === 'consumes') asked.consumes.push(...text.split(/\s+/))
  }
}

/** `check_schema#singleCheck` beside `app/checks/validators/check_request`. */
function beside(module: string, reference: string): SchemaReference {
  const [file, name] = reference.split('#')
  return { module: `${module.split('/').slice(0, -1).join('/')}/${file}`, name }
}

function readParameter(
  call: ts.CallExpression,
  kind: PathParameter['kind'],
  asked: AskedFor,
  source: SourceCode
) {
  const [, name, maxLength] = call.arguments
  const [called = 'email'] = name ? literalsAt(name, source) : []
  const [longest] = maxLength ? literalsAt(maxLength, source) : []
  asked.parameters[called] = { kind, ...(longest !== undefined && { maxLength: Number(longest) }) }
}

/** Whether an expression comes from the request's body or its query. */
function partOf(expression: ts.Expression, source: SourceCode): 'body' | 'query' | undefined {
  let part: 'body' | 'query' | undefined
  walk(expression, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'body') part = 'body'
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'qs') part = 'query'
    if (!ts.isIdentifier(node)) return
    const declaration = source.declarationAt(node)
    if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return
    part ??= ts.isCallExpression(declaration.initializer)
      ? partOf(declaration.initializer, source)
      : undefined
  })
  return part
}

function referenceTo(validator: ts.Expression, source: SourceCode): SchemaReference {
  const declaration = source.declarationAt(validator)
  if (!declaration || !ts.isVariableDeclaration(declaration)) {
    throw new Error(`The validator ${validator.getText()} must be an exported constant`)
  }
  return { module: source.pathOf(declaration), name: declaration.name.getText() }
}

function headersRead(method: Body, source: SourceCode): string[] {
  const headers = new Set<string>()
  for (const body of reachOf(method, source)) {
    walk(body, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      if (node.expression.name.text !== 'header' || node.arguments.length !== 1) return
      const owner = source.checker.getTypeAtLocation(node.expression.expression)
      if (owner.symbol?.name !== 'HttpRequest') return
      for (const name of literalsAt(node.arguments[0], source)) headers.add(String(name))
    })
  }
  return [...headers].filter((name) => !COMMON_HEADERS.has(name.toLowerCase())).sort()
}
