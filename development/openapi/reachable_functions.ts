import ts from 'typescript'
import type { SourceCode } from '#development/openapi/source_code'

export type FunctionNode = ts.FunctionLikeDeclaration

/**
 * The functions of `app/` that the node refers to. Abstract methods and interfaces resolve to
 * their implementations.
 */
export function functionsIn(node: ts.Node, source: SourceCode): FunctionNode[] {
  const known = cache.get(source) ?? new Map<ts.Node, FunctionNode[]>()
  cache.set(source, known)
  const cached = known.get(node)
  if (cached) return cached
  const declaration = source.declarationAt(node)
  const found = declaration && declaration !== node.parent ? bodiesOf(declaration, source) : []
  known.set(node, found)
  return found
}

const cache = new WeakMap<SourceCode, Map<ts.Node, FunctionNode[]>>()

function bodiesOf(declaration: ts.Declaration, source: SourceCode): FunctionNode[] {
  if (isBody(declaration)) {
    return declaration.body ? [declaration] : implementationsOf(declaration, source)
  }
  if (ts.isMethodSignature(declaration)) return implementationsOf(declaration, source)
  if (ts.isClassDeclaration(declaration)) return constructorOf(declaration)
  const { initializer } = declaration as ts.HasInitializer
  return initializer && isBody(initializer) ? [initializer] : []
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
  const found = new Set<FunctionNode>([start])
  for (const body of found) {
    walk(body, (node) => {
      if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return
      for (const used of functionsIn(node, source)) {
        if (used.getSourceFile() === start.getSourceFile()) found.add(used)
      }
    })
  }
  return [...found]
}

/** The function and all functions of `app/` it uses. */
export function reachableFunctions(start: FunctionNode, source: SourceCode): FunctionNode[] {
  const found = new Set<FunctionNode>([start])
  for (const body of found) {
    walk(body, (node) => {
      if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return
      for (const used of functionsIn(node, source)) found.add(used)
    })
  }
  return [...found]
}
