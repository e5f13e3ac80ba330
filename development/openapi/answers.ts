import ts from 'typescript'
import { type Body, walk, withHelpers } from '#development/openapi/reach'
import type { SourceCode } from '#development/openapi/source_code'

/** What a controller method answers when all is well. */
export interface Answer {
  status: number
  /** Undefined without a body. */
  contentType?: string
  /** Of a JSON body. */
  type?: ts.Type
}

/** What a call on the response sends, by the method's name. */
const SENDING: Record<string, number> = {
  send: 200,
  json: 200,
  stream: 200,
  created: 201,
  accepted: 202,
  noContent: 204,
  toPath: 302,
}

/**
 * The answers of a controller method: what it returns, as 200, and what it sends with `response.created(…)`,
 * `response.noContent()`, `response.status(…).send(…)` and the like, itself or through helpers of its file.
 *
 * @throws Error when there is none to be seen
 */
export function answersOf(method: ts.MethodDeclaration, source: SourceCode): Answer[] {
  const produced = ts.getJSDocTags(method).find((tag) => tag.tagName.text === 'produces')
  if (produced) {
    const revalidated = ts.getJSDocTags(method).some((tag) => tag.tagName.text === 'revalidated')
    const answer = { status: 200, contentType: String(produced.comment) }
    return revalidated ? [answer, { status: 304 }] : [answer]
  }
  const sent = withHelpers(method, source).flatMap((body) => sentBy(body, source))
  const answers = [...returnedBy(method, source), ...sent]
  if (answers.length === 0) {
    throw new Error(
      'Its answer is not to be seen: return the body, or send it with response.created, response.noContent or response.status(…).send; what is no JSON says @produces <content type>'
    )
  }
  return answers
}

function returnedBy(method: Body, { checker }: SourceCode): Answer[] {
  const signature = checker.getSignatureFromDeclaration(method)!
  const type = checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType()
  const isNothing = (one: ts.Type) =>
    (one.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) !== 0
  const parts = type.isUnion() ? type.types.filter((one) => !isNothing(one)) : [type]
  if (parts.every(isNothing)) return []
  const whole = type.isUnion() && parts.length === 1 ? parts[0] : type
  return [{ status: 200, contentType: 'application/json', type: whole }]
}

function sentBy(body: Body, source: SourceCode): Answer[] {
  const answers: Answer[] = []
  walk(body, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const usual = SENDING[node.expression.name.text]
    if (usual === undefined || !isResponse(node.expression.expression, source)) return
    const { statuses, contentType } = preparedBy(node.expression.expression, source)
    const [given] = node.arguments
    for (const status of statuses ?? [usual]) {
      answers.push({ status, ...bodyOf(given, contentType, source, status) })
    }
  })
  return answers
}

function bodyOf(
  given: ts.Expression | undefined,
  contentType: string | undefined,
  { checker }: SourceCode,
  status: number
) {
  // The framework writes a line that says where a redirect leads.
  if (status === 302) return { contentType: 'text/plain' }
  if (!given || status === 204) return {}
  if (contentType && contentType !== 'application/json') return { contentType }
  return { contentType: 'application/json', type: checker.getTypeAtLocation(given) }
}

/** `response` itself or what its chained methods answer. */
function isResponse(expression: ts.Expression, { checker }: SourceCode) {
  const name = checker.getTypeAtLocation(expression).symbol?.name
  return name === 'HttpResponse' || name === 'Redirect'
}

/** Status and content type that the calls before the sending one have set. */
function preparedBy(chain: ts.Expression, source: SourceCode) {
  let statuses: number[] | undefined
  let contentType: string | undefined
  for (let node = chain; ts.isCallExpression(node);) {
    if (!ts.isPropertyAccessExpression(node.expression)) break
    const [first, second] = node.arguments
    const called = node.expression.name.text
    if (called === 'status') statuses ??= literalsAt(first, source).map(Number)
    if (called === 'header' && literalsAt(first, source)[0] === 'content-type') {
      contentType ??= String(literalsAt(second, source)[0]).split(';')[0]
    }
    node = node.expression.expression
  }
  return { statuses, contentType }
}

/** The literal values an expression can have, such as both of `created ? 201 : 200`. */
export function literalsAt(node: ts.Expression, { checker }: SourceCode): (string | number)[] {
  const type = checker.getTypeAtLocation(node)
  const types = type.isUnion() ? type.types : [type]
  return types.flatMap((one) => (one.isStringLiteral() || one.isNumberLiteral() ? [one.value] : []))
}
