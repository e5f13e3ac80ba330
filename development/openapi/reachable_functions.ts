import ts from 'typescript'
import type { SourceCode } from '#development/openapi/source_code'

export type FunctionNode = ts.FunctionLikeDeclaration

/**
 * The functions of `app/` that the node refers to. Abstract methods and interfaces resolve to
 * their implementations.
 */
export function functionsIn(node: ts.Node, source: SourceCode): FunctionNode[] {
  return remembered(functionsAt, node, () => {
    const declaration = source.declarationAt(node)
    return declaration && declaration !== node.parent ? bodiesOf(declaration, source) : []
  })
}

/** The functions of `app/` that are named inside the function. */
function usedFunctions(body: FunctionNode, source: SourceCode): FunctionNode[] {
  return remembered(usedIn, body, () => {
    const found = new Set<FunctionNode>()
    walk(body, (node) => {
      if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return
      for (const used of functionsIn(node, source)) found.add(used)
    })
    return [...found]
  })
}

/** Operations share most of the functions that they use. */
const functionsAt = new WeakMap<ts.Node, FunctionNode[]>()
const usedIn = new WeakMap<ts.Node, FunctionNode[]>()

/** What was found for a node before. A node belongs to one `SourceCode`. */
export function remembered<Found>(
  known: WeakMap<ts.Node, Found>,
  node: ts.Node,
  find: () => Found
): Found {
  if (!known.has(node)) known.set(node, find())
  return known.get(node)!
}

function bodiesOf(declaration: ts.Declaration, source: SourceCode): FunctionNode[] {
  if (isBody(declaration)) {
    return declaration.body ? [declaration] : implementationsOf(declaration, source)
  }
  if (ts.isMethodSignature(declaration)) return implementationsOf(declaration, source)
  if (ts.isClassDeclaration(declaration)) return constructorOf(declaration)
  const { initializer } = declaration as ts.HasInitializer
  if (!initializer) return []
  // What an object is made of, it calls: `new TtlCache((code) => …)`.
  if (ts.isNewExpression(initializer)) {
    const parts: ts.Node[] = [...(initializer.arguments ?? [])]
    return parts.filter(isBody)
  }
  return isBody(initializer) ? [initializer] : []
}

function isBody(node: ts.Node): node is FunctionNode {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isGetAccessorDeclaration(node)
  )
}

function constructorOf(declaration: ts.ClassDeclaration): FunctionNode[] {
  return declaration.members.filter(ts.isConstructorDeclaration)
}

function implementationsOf(declaration: ts.Declaration, source: SourceCode): FunctionNode[] {
  const owner = declaration.parent
  const name = ts.getNameOfDeclaration(declaration)?.getText()
  return source.files
    .flatMap((file) => file.statements.filter(ts.isClassDeclaration))
    .filter(({ heritageClauses = [] }) =>
      heritageClauses.some(({ types }) =>
        types.some(({ expression }) => source.declarationAt(expression) === owner)
      )
    )
    .flatMap(({ members }) => members.filter(ts.isMethodDeclaration))
    .filter((member) => member.body && member.name.getText() === name)
}

/** Visits the node and everything inside it, except types. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void | 'skip') {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
  if (visit(node) === 'skip') return
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The function and all functions of the same file it uses. */
export function withLocalHelpers(start: FunctionNode, source: SourceCode): FunctionNode[] {
  const file = start.getSourceFile()
  return closure(start, (body) =>
    usedFunctions(body, source).filter((used) => used.getSourceFile() === file)
  )
}

/** The function and all functions of `app/` it uses. */
export const reachableFunctions = (start: FunctionNode, source: SourceCode): FunctionNode[] =>
  closure(start, (body) => usedFunctions(body, source))

function closure(start: FunctionNode, usedBy: (body: FunctionNode) => FunctionNode[]) {
  const found = new Set<FunctionNode>([start])
  for (const body of found) for (const used of usedBy(body)) found.add(used)
  return [...found]
}
