/** The parts of the library's syntax tree and of its evaluator that are used here. */
export interface AstNode {
  op: string
  args: any
  input: string
  start: number
  end: number
  left: AstNode
  right: unknown
  handle: (...operands: any[]) => unknown
  meta: { alternate?: AstNode; macro?: Macro; evaluate: Evaluate }
  setMeta(key: 'check', value: Check): AstNode
  setMeta(key: 'evaluate', value: Evaluate): AstNode
}
export interface Macro {
  args: AstNode[]
  typeCheck: (checker: Checker, macro: Macro, context: unknown) => Type
  evaluate: (evaluator: Evaluator, macro: Macro, context: unknown) => unknown
}
export type Check = (checker: Checker, node: AstNode, context: unknown) => Type
export type Evaluate = (evaluator: Evaluator, node: AstNode, context: unknown) => unknown
export interface Type {
  kind: string
}
export interface Checker {
  check(node: AstNode, context: unknown): Type
  registry: { getListType(type: Type): Type }
  listType: Type
  mapType: Type
  boolType: Type
}
export interface Evaluator {
  run(node: AstNode, context: unknown): unknown
  tryEval(node: AstNode, context: unknown): unknown
}

export function* nodesOf(node: AstNode): Generator<AstNode> {
  yield node
  for (const child of childrenOf(node)) yield* nodesOf(child)
}

export function childrenOf({ op, args, meta }: AstNode): AstNode[] {
  if (meta.alternate) return [meta.alternate]
  switch (op) {
    case 'value':
    case 'id':
    case 'accuValue':
    case 'accuInc':
      return []
    case '.':
      return [args[0]]
    case 'call':
      return args[1]
    case 'rcall':
      return [args[1], ...args[2]]
    case 'comprehension':
      return [args.iterable, args.init, args.step]
    case 'map':
      return args.flat()
    default:
      return Array.isArray(args) ? args : [args]
  }
}

/** How an attribute is named, such as `resource.properties.tags[0]`. */
export function pathOf(node: AstNode): string {
  if (node.op === 'id') return node.args as string
  const key = node.op === '.' ? (node.args[1] as string) : literalOf(node)
  if (key === undefined) return node.input.slice(node.start, node.end)
  const container = pathOf(node.args[0])
  return typeof key === 'string' ? `${container}.${key}` : `${container}[${key}]`
}

function literalOf(node: AstNode): string | bigint | undefined {
  if (node.op !== '[]') return undefined
  const { op, args } = node.args[1] as AstNode
  return op === 'value' && (typeof args === 'string' || typeof args === 'bigint') ? args : undefined
}
