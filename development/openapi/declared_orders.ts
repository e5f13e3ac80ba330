import ts from 'typescript'
import type { SourceCode } from '#development/openapi/source_code'

type Value = string | number

/**
 * The order in which the source lists values. The compiler orders those of a type by where it met
 * each first, so a new use anywhere would change the description of others.
 */
export class DeclaredOrders {
  readonly #lists: Value[][] = []

  constructor(source: SourceCode) {
    const files = source.files.toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1))
    for (const file of files) this.#collect(file)
  }

  /** As the shortest list that has all of them, otherwise sorted. */
  sort(values: Value[]): Value[] {
    const fitting = this.#lists.filter((list) => values.every((value) => list.includes(value)))
    const [best] = fitting.toSorted((one, other) => one.length - other.length)
    if (!best) return values.toSorted((one, other) => (one < other ? -1 : 1))
    return values.toSorted((one, other) => best.indexOf(one) - best.indexOf(other))
  }

  #collect(node: ts.Node) {
    const list = literalsOf(node)
      .map(valueOf)
      .filter((value) => value !== undefined)
    if (list.length > 1) this.#lists.push(list)
    ts.forEachChild(node, (child) => this.#collect(child))
  }
}

/** The parts of a union, or the elements of a list that is `as const`. */
function literalsOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isUnionTypeNode(node)) {
    return node.types.map((type) => (ts.isLiteralTypeNode(type) ? type.literal : type))
  }
  const isConstant =
    ts.isArrayLiteralExpression(node) &&
    ts.isAsExpression(node.parent) &&
    ts.isConstTypeReference(node.parent.type)
  return isConstant ? node.elements : []
}

function valueOf(node: ts.Node): Value | undefined {
  if (ts.isStringLiteral(node)) return node.text
  return ts.isNumericLiteral(node) ? Number(node.text) : undefined
}
