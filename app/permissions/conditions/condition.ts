import { LRUCache } from 'lru-cache'
import type { ConditionVariables } from '#app/permissions/conditions/condition_variables'
import { CostLimitExceeded, startCounting } from '#app/permissions/conditions/cost'
import {
  ImpossibleOperation,
  MissingAttribute,
} from '#app/permissions/conditions/evaluation_errors'
import {
  InvalidExpression,
  MAX_CONDITION_LENGTH,
  type Program,
  compile,
} from '#app/permissions/conditions/program'
import { ConditionInvalid } from '#app/permissions/exceptions'

export type ConditionResult =
  | { value: boolean }
  /** The attribute that the condition reads, such as `resource.properties.status`. */
  | { missing: string }
  /** Why the condition has no value. */
  | { failed: string }

/** The memory of a program grows with its text, up to about 150 kB. */
const programs = new LRUCache<string, Program | InvalidExpression>({
  maxSize: 500_000,
  sizeCalculation: (_, text) => text.length,
})

/** Thrown instead of compiling, which takes milliseconds. */
export class NotCompiled extends Error {
  constructor(readonly condition: string) {
    super('The condition is not compiled')
  }
}

let compilesOnDemand = true

/** Does work that evaluates conditions, until it meets one that is not compiled yet. */
export function withoutCompiling<Result>(work: () => Result): Result | NotCompiled {
  compilesOnDemand = false
  try {
    return work()
  } catch (error) {
    if (error instanceof NotCompiled) return error
    throw error
  } finally {
    compilesOnDemand = true
  }
}

/** So that it can be evaluated without compiling. */
export function compileCondition(text: string): void {
  programOf(text)
}

/** Texts that compile, to check them again without compiling: that takes milliseconds. */
const valid = new LRUCache<string, true>({
  maxSize: 5_000_000,
  sizeCalculation: (_, text) => text.length,
})

/** Whether it has been compiled lately. */
export const isKnownAsValid = (text: string): boolean => valid.has(text)

/**
 * See permissions.md#conditions.
 *
 * @param field where the condition is in the body, such as `permissions.3.condition`
 * @throws ConditionInvalid
 */
export function requireValidCondition(text: string, field: string): void {
  const program = programOf(text)
  if (!(program instanceof InvalidExpression)) return
  const { message: reason, line, column } = program
  throw new ConditionInvalid({
    detail: `${reason} (line ${line}, column ${column})`,
    details: { field, line, column, reason },
  })
}

/** Evaluates a stored condition. Never throws; a text that no longer compiles is `failed`. */
export function evaluateCondition(text: string, variables: ConditionVariables): ConditionResult {
  const program = programOf(text)
  if (program instanceof InvalidExpression) return { failed: program.message }
  startCounting()
  try {
    const value = program(variables)
    if (typeof value === 'boolean') return { value }
    return { failed: 'The condition is neither true nor false' }
  } catch (error) {
    if (error instanceof MissingAttribute) return { missing: error.path }
    return { failed: reasonOf(error) }
  }
}

function programOf(text: string): Program | InvalidExpression {
  const known = programs.get(text)
  if (known) return known
  // A long text is refused quickly, and should not take space in the cache.
  if (text === '' || text.length > MAX_CONDITION_LENGTH) return compileSafely(text)
  if (!compilesOnDemand) throw new NotCompiled(text)
  const program = compileSafely(text)
  programs.set(text, program)
  if (!(program instanceof InvalidExpression)) valid.set(text, true)
  return program
}

function compileSafely(text: string): Program | InvalidExpression {
  startCounting()
  try {
    return compile(text)
  } catch (error) {
    if (error instanceof InvalidExpression) return error
    throw error
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ImpossibleOperation || error instanceof CostLimitExceeded) {
    return error.message
  }
  const { summary } = error as { summary?: string }
  return summary ?? 'The condition cannot be evaluated with these attributes'
}
