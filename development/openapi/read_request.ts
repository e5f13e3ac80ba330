import ts from 'typescript'
import {
  type FunctionNode,
  reachableFunctions,
  remembered,
  walk,
  withLocalHelpers,
} from '#development/openapi/reachable_functions'
import { literalsAt } from '#development/openapi/success_responses'
import type { SourceCode } from '#development/openapi/source_code'

/** An exported Vine validator or JSON Schema. */
export interface SchemaReference {
  module: string
  name: string
}

export interface PathParameter {
  kind: 'id' | 'email' | 'text'
  maxLength?: number
}

export interface RequestDescription {
  body: SchemaReference[]
  query: SchemaReference[]
  parameters: Record<string, PathParameter>
  headers: string[]
  /** Content types other than JSON. */
  consumes: string[]
}

const PARAMETER_READERS: Record<string, PathParameter['kind']> = {
  idParam: 'id',
  emailParam: 'email',
  textParam: 'text',
}

/** Headers of every route, or of no interest to clients. */
const COMMON_HEADERS = new Set(['content-type', 'authorization', 'x-request-id', 'accept'])

/**
 * Finds the validators given `request.body()` or `request.qs()`, path parameters read with
 * `idParam`, `emailParam` and `textParam`, and headers. A reader other than Vine names its schema
 * with `@describedBy file#export`, in a file beside it, and content types other than JSON with
 * `@consumes`.
 */
export function readRequest(method: ts.MethodDeclaration, source: SourceCode): RequestDescription {
  const asked: RequestDescription = {
    body: [],
    query: [],
    parameters: {},
    headers: [],
    consumes: [],
  }
  for (const body of withLocalHelpers(method, source))
    walk(body, (node) => readCall(node, asked, source))
  asked.headers = headersOf(method, source)
  return asked
}

function readCall(node: ts.Node, asked: RequestDescription, source: SourceCode) {
  if (!ts.isCallExpression(node)) return
  const callee = ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name
    : node.expression
  const kind = PARAMETER_READERS[callee.getText()]
  if (kind) return readParameter(node, kind, asked, source)
  if (callee.getText() === 'validate' && ts.isPropertyAccessExpression(node.expression)) {
    const part = requestPartOf(node.arguments[0], source)
    if (part) asked[part].push(validatorReference(node.expression.expression, source))
    return
  }
  const reader = source.declarationAt(callee)
  if (!reader) return
  for (const { tagName, comment } of ts.getJSDocTags(reader)) {
    const text = String(comment ?? '').trim()
    const name = tagName.text
    if (name === 'describedBy') asked.body.push(resolveReference(source.pathOf(reader), text))
    if (name === 'consumes') asked.consumes.push(...text.split(/\s+/))
  }
}

/** Resolves `check_schema#singleCheck` beside `app/checks/validators/check_request`. */
function resolveReference(module: string, reference: string): SchemaReference {
  const [file, name] = reference.split('#')
  return { module: `${module.split('/').slice(0, -1).join('/')}/${file}`, name }
}

function readParameter(
  call: ts.CallExpression,
  kind: PathParameter['kind'],
  asked: RequestDescription,
  source: SourceCode
) {
  const [, name, maxLength] = call.arguments
  const [parameterName = 'email'] = name ? literalsAt(name, source) : []
  const [longest] = maxLength ? literalsAt(maxLength, source) : []
  asked.parameters[parameterName] = {
    kind,
    ...(longest !== undefined && { maxLength: Number(longest) }),
  }
}

function requestPartOf(
  expression: ts.Expression,
  source: SourceCode
): 'body' | 'query' | undefined {
  let part: 'body' | 'query' | undefined
  walk(expression, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'body') part = 'body'
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'qs') part = 'query'
    if (!ts.isIdentifier(node)) return
    const declaration = source.declarationAt(node)
    if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return
    part ??= ts.isCallExpression(declaration.initializer)
      ? requestPartOf(declaration.initializer, source)
      : undefined
  })
  return part
}

function validatorReference(validator: ts.Expression, source: SourceCode): SchemaReference {
  const declaration = source.declarationAt(validator)
  if (!declaration || !ts.isVariableDeclaration(declaration)) {
    throw new Error(`The validator ${validator.getText()} must be an exported constant`)
  }
  return { module: source.pathOf(declaration), name: declaration.name.getText() }
}

function headersOf(method: FunctionNode, source: SourceCode): string[] {
  const headers = new Set(
    reachableFunctions(method, source).flatMap((body) => headersReadIn(body, source))
  )
  return [...headers].filter((name) => !COMMON_HEADERS.has(name.toLowerCase())).sort()
}

const headersRead = new WeakMap<ts.Node, string[]>()

function headersReadIn(body: FunctionNode, source: SourceCode): string[] {
  return remembered(headersRead, body, () => {
    const headers: string[] = []
    walk(body, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      if (node.expression.name.text !== 'header' || node.arguments.length !== 1) return
      const owner = source.checker.getTypeAtLocation(node.expression.expression)
      if (owner.symbol?.name !== 'HttpRequest') return
      headers.push(...literalsAt(node.arguments[0], source).map(String))
    })
    return headers
  })
}
