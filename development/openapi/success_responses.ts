import ts from 'typescript'
import { type FunctionNode, walk, withLocalHelpers } from '#development/openapi/reachable_functions'
import type { SourceCode } from '#development/openapi/source_code'

/** A successful response of a controller method. */
export interface SuccessResponse {
  status: number
  contentType?: string
  /** The type of a JSON body. */
  type?: ts.Type
}

/** The status that a method of the response sends by default. */
const DEFAULT_STATUS: Record<string, number> = {
  send: 200,
  json: 200,
  stream: 200,
  created: 201,
  accepted: 202,
  noContent: 204,
  toPath: 302,
}

/**
 * Finds what the method returns, as 200, and what it or a helper in its file sends with
 * `response.created(…)`, `response.status(…).send(…)` and the like.
 * @throws Error if it finds none
 */
export function successResponsesOf(
  method: ts.MethodDeclaration,
  source: SourceCode
): SuccessResponse[] {
  const tags = ts.getJSDocTags(method)
  const produced = tags.filter((tag) => tag.tagName.text === 'produces')
  if (produced.length > 0) {
    const revalidated = tags.some((tag) => tag.tagName.text === 'revalidated')
    const responses = produced.map(({ comment }) => ({ status: 200, contentType: String(comment) }))
    const returned = returnedBy(method, source).filter(({ type }) => isEnvelope(type))
    return [...returned, ...responses, ...(revalidated ? [{ status: 304 }] : [])]
  }
  const sent = withLocalHelpers(method, source).flatMap((body) => sentBy(body, source))
  const responses = [...returnedBy(method, source), ...sent]
  if (responses.length === 0) {
    throw new Error(
      'No response was found. Return the body, or send it with response.created, response.noContent or response.status(…).send. For a body other than JSON, add @produces <content type>'
    )
  }
  return responses
}

/** Some methods return a body or stream another type. */
const isEnvelope = (type: ts.Type | undefined) => type?.getProperty('success') !== undefined

function returnedBy(method: FunctionNode, { checker }: SourceCode): SuccessResponse[] {
  const signature = checker.getSignatureFromDeclaration(method)!
  const type = checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType()
  const isNothing = (one: ts.Type) =>
    (one.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) !== 0
  const parts = type.isUnion() ? type.types.filter((one) => !isNothing(one)) : [type]
  if (parts.every(isNothing)) return []
  const whole = type.isUnion() && parts.length === 1 ? parts[0] : type
  return [{ status: 200, contentType: 'application/json', type: whole }]
}

function sentBy(body: FunctionNode, source: SourceCode): SuccessResponse[] {
  const responses: SuccessResponse[] = []
  walk(body, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const defaultStatus = DEFAULT_STATUS[node.expression.name.text]
    if (defaultStatus === undefined || !isResponse(node.expression.expression, source)) return
    const { statuses, contentType } = statusAndTypeOf(node.expression.expression, source)
    const [given] = node.arguments
    for (const status of statuses ?? [defaultStatus]) {
      responses.push({ status, ...bodyOf(given, contentType, source, status) })
    }
  })
  return responses
}

function bodyOf(
  given: ts.Expression | undefined,
  contentType: string | undefined,
  { checker }: SourceCode,
  status: number
) {
  // The framework writes a line that names the target of a redirect.
  if (status === 302) return { contentType: 'text/plain' }
  if (!given || status === 204) return {}
  if (contentType && contentType !== 'application/json') return { contentType }
  return { contentType: 'application/json', type: checker.getTypeAtLocation(given) }
}

/** True for `response` and for the result of a chained call. */
function isResponse(expression: ts.Expression, { checker }: SourceCode) {
  const name = checker.getTypeAtLocation(expression).symbol?.name
  return name === 'HttpResponse' || name === 'Redirect'
}

/** The status and content type set by earlier calls of the chain. */
function statusAndTypeOf(chain: ts.Expression, source: SourceCode) {
  let statuses: number[] | undefined
  let contentType: string | undefined
  for (let node = chain; ts.isCallExpression(node);) {
    if (!ts.isPropertyAccessExpression(node.expression)) break
    const [first, second] = node.arguments
    const methodName = node.expression.name.text
    if (methodName === 'status') statuses ??= literalsAt(first, source).map(Number)
    if (methodName === 'header' && literalsAt(first, source)[0] === 'content-type') {
      contentType ??= String(literalsAt(second, source)[0]).split(';')[0]
    }
    node = node.expression.expression
  }
  return { statuses, contentType }
}

/** The possible literal values, such as both of `created ? 201 : 200`. */
export function literalsAt(node: ts.Expression, { checker }: SourceCode): (string | number)[] {
  const type = checker.getTypeAtLocation(node)
  const types = type.isUnion() ? type.types : [type]
  return types.flatMap((one) => (one.isStringLiteral() || one.isNumberLiteral() ? [one.value] : []))
}
