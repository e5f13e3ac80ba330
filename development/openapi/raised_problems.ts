import ts from 'typescript'
import {
  type FunctionNode,
  functionsIn,
  remembered,
  walk,
} from '#development/openapi/reachable_functions'
import type { SourceCode } from '#development/openapi/source_code'

/** Stands for every code, for a `catch` that tests for any problem. */
const ANY = '*'

/** Problems that libraries raise, by the method that does so. */
const RAISED_BY_LIBRARIES = new Map([['validate', 'VALIDATION_ERROR']])

/** What a part of the source does, in its order. */
type Step =
  | { raises: string }
  | { calls: FunctionNode }
  | { tries: Step[]; caught: Set<string>; then: Step[] }

/** Operations share most of the functions that they use. */
const stepsOf = new WeakMap<ts.Node, Step[]>()

/**
 * The problems that a function and the functions it uses can raise. A problem that a `catch` tests
 * for does not leave its `try`, unless it is rethrown.
 */
export function raisedProblems(body: FunctionNode, source: SourceCode): Set<string> {
  const seen = new Set<FunctionNode>()
  return raisedBy([{ calls: body }], source, seen)
}

function raisedBy(steps: Step[], source: SourceCode, seen: Set<FunctionNode>): Set<string> {
  const codes = new Set<string>()
  const add = (code: string) => codes.add(code)
  for (const step of steps) {
    if ('raises' in step) add(step.raises)
    else if ('calls' in step) raisedByCall(step.calls, source, seen).forEach(add)
    else {
      for (const code of raisedBy(step.tries, source, new Set(seen))) {
        if (!step.caught.has(code) && !step.caught.has(ANY)) add(code)
      }
      raisedBy(step.then, source, seen).forEach(add)
    }
  }
  return codes
}

function raisedByCall(body: FunctionNode, source: SourceCode, seen: Set<FunctionNode>) {
  if (seen.has(body)) return []
  seen.add(body)
  const steps = remembered(stepsOf, body, () => stepsIn(body, source))
  return raisedBy(steps, source, seen)
}

function stepsIn(start: ts.Node, source: SourceCode): Step[] {
  const steps: Step[] = []
  walk(start, (node) => {
    if (ts.isTryStatement(node) && node.catchClause) {
      const { tryBlock, catchClause, finallyBlock } = node
      steps.push({
        tries: stepsIn(tryBlock, source),
        caught: caughtCodes(catchClause, source),
        then: [catchClause.block, finallyBlock].flatMap((part) =>
          part ? stepsIn(part, source) : []
        ),
      })
      return 'skip'
    }
    if (isInstanceOf(node)) return 'skip'
    if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return
    const code = codeOf(node, source) ?? libraryCodeOf(node, source)
    if (code) steps.push({ raises: code })
    for (const used of functionsIn(node, source)) steps.push({ calls: used })
  })
  return steps
}

function isInstanceOf(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
}

function caughtCodes(clause: ts.CatchClause, source: SourceCode): Set<string> {
  const codes = new Set<string>()
  walk(clause, (node) => {
    if (!isInstanceOf(node) || isRethrown(node, clause)) return
    const code = node.right.getText() === 'Problem' ? ANY : codeOf(node.right, source)
    if (code) codes.add(code)
  })
  return codes
}

/**
 * `if (!(error instanceof Some)) throw error` lets `Some` through if another `throw error`
 * follows.
 */
function isRethrown(check: ts.BinaryExpression, clause: ts.CatchClause): boolean {
  const negation = check.parent.parent
  if (!ts.isPrefixUnaryExpression(negation)) return false
  let found = false
  walk(clause.block, (node) => {
    if (node === negation.parent) return 'skip'
    found ||= ts.isThrowStatement(node) && node.expression.getText() === check.left.getText()
  })
  return found
}

function codeOf(node: ts.Node, source: SourceCode): string | undefined {
  const declaration = source.declarationAt(node)
  if (!declaration) return undefined
  if (ts.isClassDeclaration(declaration)) {
    const parent = declaration.heritageClauses?.[0]?.types[0]?.expression
    return parent && codeOf(parent, source)
  }
  const initializer = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  if (!initializer || !ts.isCallExpression(initializer)) return undefined
  const [code] = initializer.arguments
  const isProblem = initializer.expression.getText() === 'defineProblem'
  return isProblem && ts.isStringLiteral(code) ? code.text : undefined
}

function libraryCodeOf(node: ts.Node, source: SourceCode): string | undefined {
  const code = RAISED_BY_LIBRARIES.get(node.getText())
  if (!code || !ts.isPropertyAccessExpression(node.parent)) return undefined
  const type = source.checker.getTypeAtLocation(node.parent.expression)
  return type.symbol?.name === 'VineValidator' ? code : undefined
}
