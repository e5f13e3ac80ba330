import {
  type AstNode,
  type Check,
  type Evaluate,
  type Macro,
  childrenOf,
  nodesOf,
} from '#app/permissions/conditions/ast'
import { prepareCall, requireKnownFunction } from '#app/permissions/conditions/calls'
import {
  hasMember,
  isEqual,
  isMember,
  iterate,
  lengthOf,
  mapKey,
  readMember,
} from '#app/permissions/conditions/cel_values'
import { charge } from '#app/permissions/conditions/cost'
import {
  ImpossibleOperation,
  MissingAttribute,
  RefusedNode,
} from '#app/permissions/conditions/evaluation_errors'

const COST_OF_NODE = 3

/**
 * Replaces operations of the library by safe ones: own fields only, regular expressions in linear
 * time, costs counted. Called before the type check; the returned function is for after it.
 *
 * @throws RefusedNode
 */
export function prepare(root: AstNode): () => void {
  const nodes = [...nodesOf(root)]
  const later = nodes.map(prepareNode)
  return () => later.forEach((finish) => finish?.())
}

function prepareNode(node: AstNode): (() => void) | undefined {
  requireKnownFunction(node)
  if (node.meta.macro) prepareHas(node.meta.macro)
  if (node.meta.macro || node.meta.alternate) return undefined
  switch (node.op) {
    case 'list':
      node.setMeta('check', checkList)
      return undefined
    case 'map':
      node.setMeta('check', checkMap).setMeta('evaluate', evaluateMap)
      return undefined
    case 'accuPush':
      node.setMeta('check', checkPush)
      return undefined
    case 'comprehension':
      return () => countComprehension(node)
    case '.':
    case '[]':
      return () => {
        node.handle = (container: unknown, key: unknown) => {
          const value = readMember(container, key)
          if (value === undefined) throw new MissingAttribute(node)
          return value
        }
      }
    case '==':
      return () => {
        node.handle = isEqual
      }
    case '!=':
      return () => {
        node.handle = (left: unknown, right: unknown) => !isEqual(left, right)
      }
    case 'in':
      return () => {
        node.handle = requireMembership
      }
    case 'call':
    case 'rcall':
      return prepareCall(node)
    default:
      return '+-*/%<=>='.includes(node.op) ? () => chargeOperands(node) : undefined
  }
}

function prepareHas(macro: Macro) {
  const [field] = macro.args
  macro.typeCheck = (checker, _, context) => {
    if (field.op !== '.') throw new RefusedNode('has() takes a field, such as has(a.b)', field)
    checker.check(field, context)
    return checker.boolType
  }
  macro.evaluate = (evaluator, _, context) =>
    hasMember(evaluator.run(field.left, context), field.right)
}

// The library keeps each type forever, so only a few types of lists and maps occur.
const checkList: Check = (checker, node, context) => {
  const types = new Set((node.args as AstNode[]).map((item) => checker.check(item, context)))
  const [only] = types
  const isUniform = types.size === 1 && only.kind === 'primitive'
  return isUniform ? checker.registry.getListType(only) : checker.listType
}
const checkMap: Check = (checker, node, context) => {
  for (const item of childrenOf(node)) checker.check(item, context)
  return checker.mapType
}
const checkPush: Check = (checker, node, context) => {
  checker.check(node.args, context)
  return checker.listType
}

const evaluateMap: Evaluate = (evaluator, node, context) => {
  const entries = node.args as [AstNode, AstNode][]
  return new Map(
    entries.map(([key, value]) => [
      mapKey(evaluator.run(key, context)),
      evaluator.run(value, context),
    ])
  )
}

function countComprehension(node: AstNode) {
  const { iterable, step } = node.args as { iterable: AstNode; step: AstNode }
  node.setMeta('evaluate', (evaluator, _, context) => {
    const items = iterate(evaluator.run(iterable, context))
    if (!items) throw new ImpossibleOperation('Only lists and maps have elements')
    charge(items.length)
    return node.handle(items, node.args, evaluator, context)
  })
  const cost = countNodes(step) * COST_OF_NODE
  const { evaluate } = step.meta
  step.setMeta('evaluate', (evaluator, self, context) => {
    charge(cost)
    return evaluate(evaluator, self, context)
  })
}

/** Without the steps of comprehensions, which count themselves. */
function countNodes(node: AstNode): number {
  const children = node.op === 'comprehension' ? childrenOf(node).slice(0, 2) : childrenOf(node)
  return children.reduce((sum, child) => sum + countNodes(child), 1)
}

function requireMembership(value: unknown, container: unknown) {
  const isIn = isMember(value, container)
  if (isIn === undefined) throw new ImpossibleOperation('Only lists and maps have elements')
  return isIn
}

function chargeOperands(node: AstNode) {
  const { handle } = node
  node.handle = (left: unknown, right: unknown, ...rest: unknown[]) => {
    charge(lengthOf(left) + lengthOf(right))
    return handle(left, right, ...rest)
  }
}
