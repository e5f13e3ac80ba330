import ts from 'typescript'
import type { SourceCode } from '#development/openapi/source_code'

export type Body = ts.FunctionLikeDeclaration

/**
 * The functions and methods of `app/` that `node` mentions: called, given away or constructed. What an abstract method or
 * an interface promises is followed into everything that keeps the promise.
 */
export function functionsIn(node: ts.Node, source: SourceCode): Body[] {
  const known = memory.get(source) ?? new Map<ts.Node, Body[]>()
  memory.set(source, known)
  const remembered = known.get(node)
  if (remembered) return remembered
  const declaration = source.declarationAt(node)
  const found = declaration && declaration !== node.parent ? bodiesOf(declaration, source) : []
  known.set(node, found)
  return found
}

const memory = new WeakMap<SourceCode, Map<ts.Node, Body[]>>()

function bodiesOf(declaration: ts.Declaration, source: SourceCode): Body[] {
  if (isBody(declaration)) {
    return declaration.body ? [declaration] : implementationsOf(declaration, source)
  }
  if (ts.isMethodSignature(declaration)) return implementationsOf(declaration, source)
  if (ts.isClassDeclaration(declaration)) return constructorOf(declaration)
  const { initializer } = declaration as ts.HasInitializer
  return initializer && isBody(initializer) ? [initializer] : []
}

function isBody(node: ts.Node): node is Body {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isGetAccessorDeclaration(node)
  )
}

function constructorOf(declaration: ts.ClassDeclaration): Body[] {
  return declaration.members.filter(ts.isConstructorDeclaration)
}

/** The methods of this name in classes that extend or implement the one that promises it. */
function implementationsOf(promise: ts.Declaration, source: SourceCode): Body[] {
  const owner = promise.parent
  const name = ts.getNameOfDeclaration(promise)?.getText()
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

/** Calls `visit` for every node inside `node`, itself included, but not for types. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void | 'skip') {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
  if (visit(node) === 'skip') return
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The body and, of the same file, every function it uses: what a controller method is made of. */
export function withHelpers(start: Body, source: SourceCode): Body[] {
  const found = new Set<Body>([start])
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

/** The body and every function of `app/` it can come to. */
export function reachOf(start: Body, source: SourceCode): Body[] {
  const found = new Set<Body>([start])
  for (const body of found) {
    walk(body, (node) => {
      if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return
      for (const used of functionsIn(node, source)) found.add(used)
    })
  }
  return [...found]
}
