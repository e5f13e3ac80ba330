import type { AstNode } from '#app/permissions/conditions/ast'
import { lengthOf } from '#app/permissions/conditions/cel_values'
import { requireConvertible } from '#app/permissions/conditions/conversions'
import { charge } from '#app/permissions/conditions/cost'
import { ImpossibleOperation, RefusedNode } from '#app/permissions/conditions/evaluation_errors'
import { Pattern } from '#app/permissions/conditions/pattern'
import { ZONED_PARTS, inTimeZone, isTimeZone } from '#app/permissions/conditions/zoned_time'

const FUNCTIONS = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'has',
  'int',
  'matches',
  'size',
  'string',
  'timestamp',
  'type',
  'uint',
])
const METHODS = new Set([
  'all',
  'exists',
  'exists_one',
  'filter',
  'map',
  'size',
  'contains',
  'endsWith',
  'matches',
  'startsWith',
  'indexOf',
  'join',
  'lastIndexOf',
  'lowerAscii',
  'split',
  'substring',
  'trim',
  'upperAscii',
  ...Object.keys(ZONED_PARTS),
])
/** The library changes all letters, so that the Kelvin sign (U+212A) would be the same as k. */
const ASCII_CASES: Record<string, (text: string) => string> = {
  lowerAscii: (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  upperAscii: (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
}
/** The library parses durations in cubic time. */
const MAX_DURATION_LENGTH = 32

/** @throws RefusedNode */
export function requireKnownFunction(node: AstNode) {
  if (node.op !== 'call' && node.op !== 'rcall') return
  const [name] = node.args as [string]
  if ((node.op === 'call' ? FUNCTIONS : METHODS).has(name)) return
  throw new RefusedNode(`There is no function ${name}`, node)
}

/**
 * Checks the operands that are known; what it returns is for after the type check.
 *
 * @throws RefusedNode
 */
export function prepareCall(node: AstNode): () => void {
  const [name] = node.args as [string]
  const operands = node.op === 'call' ? (node.args[1] as AstNode[]) : (node.args[2] as AstNode[])
  const last = operands.at(-1)
  if (name === 'matches' && last) {
    const pattern = literalPattern(last)
    return () => {
      node.handle = ([text]: unknown[]) => pattern.isIn(requireText(text))
    }
  }
  if (name in ZONED_PARTS && last) {
    requireTimeZone(last)
    return () => {
      node.handle = ([date, zone]: unknown[]) => {
        if (!(date instanceof Date)) throw new ImpossibleOperation(`${name} reads a timestamp`)
        return BigInt(ZONED_PARTS[name](inTimeZone(date, requireText(zone))))
      }
    }
  }
  return () => {
    const changeCase = ASCII_CASES[name]
    const handle = changeCase ? ([text]: unknown[]) => changeCase(requireText(text)) : node.handle
    node.handle = (values: unknown[], ...rest: unknown[]) => {
      charge(costOfCall(name, values))
      if (node.op === 'call') requireConvertible(name, values[0])
      return handle(values, ...rest)
    }
  }
}

function costOfCall(name: string, [first, second]: unknown[]): number {
  const cost = lengthOf(first) + lengthOf(second)
  switch (name) {
    case 'contains':
    case 'indexOf':
    case 'lastIndexOf':
    case 'split':
      return cost + (lengthOf(first) * lengthOf(second)) / 16
    case 'join':
      return cost + lengthOfJoined(first, second)
    case 'size':
      return 10 + (typeof first === 'string' ? cost * 4 : cost)
    case 'timestamp':
      return 300
    case 'duration':
      if (lengthOf(first) > MAX_DURATION_LENGTH) {
        throw new ImpossibleOperation(`A duration has at most ${MAX_DURATION_LENGTH} characters`)
      }
      return 1_000
    default:
      return 10 + cost
  }
}

function lengthOfJoined(list: unknown, separator: unknown) {
  if (!Array.isArray(list)) return 0
  return list.reduce<number>(
    (sum, item) => sum + lengthOf(item),
    separator === undefined ? 0 : list.length * lengthOf(separator)
  )
}

function literalPattern(node: AstNode): Pattern {
  if (node.op !== 'value' || typeof node.args !== 'string') {
    throw new RefusedNode('The pattern of matches() must be a text, not an expression', node)
  }
  try {
    return new Pattern(node.args)
  } catch (error) {
    throw new RefusedNode((error as Error).message, node)
  }
}

function requireTimeZone(node: AstNode) {
  if (node.op !== 'value' || typeof node.args !== 'string' || isTimeZone(node.args)) return
  throw new RefusedNode(`There is no time zone ${node.args}`, node)
}

function requireText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new ImpossibleOperation('A text is needed')
}
