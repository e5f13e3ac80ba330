import { Environment } from '@marcbachmann/cel-js'
import type { AstNode, Evaluator } from '#app/permissions/conditions/ast'
import { ActionValue, ResourceValue, SubjectValue } from '#app/permissions/conditions/cel_values'
import type { ConditionVariables } from '#app/permissions/conditions/condition_variables'
import { CostLimitExceeded, charge } from '#app/permissions/conditions/cost'
import { readableAttributes } from '#app/permissions/conditions/json_values'
import { prepare } from '#app/permissions/conditions/prepare_ast'

export const MAX_CONDITION_LENGTH = 1_000

/** Evaluates a compiled condition. May throw anything that its expression leads to. */
export type Program = (variables: ConditionVariables) => unknown

/** Why a text is not a condition, and where, both from 1. */
export class InvalidExpression extends Error {
  constructor(
    reason: string,
    readonly line = 1,
    readonly column = 1
  ) {
    super(reason)
  }
}

const TIMESTAMP = 'google.protobuf.Timestamp'
const PROPERTIES = 'map<string, dyn>'
/** An error of the library costs a stack trace and an excerpt of the code. */
const COST_OF_ERROR = 1_000

function createEnvironment() {
  const environment = new Environment({
    limits: { maxAstNodes: 500, maxDepth: 24, maxListElements: 200, maxMapEntries: 50 },
  })
    .registerType('Subject', {
      ctor: SubjectValue,
      fields: { id: 'string', email: 'string', properties: PROPERTIES },
    })
    .registerType('Resource', {
      ctor: ResourceValue,
      fields: { type: 'string', id: 'string', properties: PROPERTIES },
    })
    .registerType('Action', {
      ctor: ActionValue,
      fields: { name: 'string', properties: PROPERTIES },
    })
    .registerVariable('subject', 'Subject')
    .registerVariable('resource', 'Resource')
    .registerVariable('action', 'Action')
    .registerVariable('context', PROPERTIES)
    .registerVariable('now', TIMESTAMP)
    // For the type check; a pattern replaces it.
    .registerFunction('matches(string, string): bool', () => false, { async: false })
  stopAtCostLimit(environment)
  return environment
}

/** Quantifiers and logical operators continue after an error, but not after this one. */
function stopAtCostLimit(environment: Environment) {
  const probe = environment.parse('true')
  const node = probe.ast as unknown as AstNode
  node.setMeta('evaluate', (evaluator: Evaluator) => {
    evaluator.tryEval = (step, context) => {
      try {
        return evaluator.run(step, context)
      } catch (error) {
        if (error instanceof CostLimitExceeded) throw error
        charge(COST_OF_ERROR)
        return error
      }
    }
    return true
  })
  probe()
}

/** The library remembers each name it was asked for, so an environment serves a limited number. */
const COMPILATIONS_PER_ENVIRONMENT = 200
let compilations = 0
let environment: Environment | undefined

function nextEnvironment() {
  if (!environment || compilations++ % COMPILATIONS_PER_ENVIRONMENT === 0) {
    environment = createEnvironment()
  }
  return environment
}

/** @throws InvalidExpression */
export function compile(text: string): Program {
  if (text.trim() === '') throw new InvalidExpression('A condition must not be empty')
  if (text.length > MAX_CONDITION_LENGTH) {
    const reason = `A condition has at most ${MAX_CONDITION_LENGTH} characters`
    throw new InvalidExpression(reason)
  }
  const parsed = orInvalid(text, () => nextEnvironment().parse(text))
  const ast = parsed.ast as unknown as AstNode
  const finish = orInvalid(text, () => prepare(ast))
  const { valid, type, error } = parsed.check()
  if (!valid) throw describe(text, error)
  if (type !== 'bool' && type !== 'dyn') {
    throw new InvalidExpression(`The condition must be true or false, but its type is ${type}`)
  }
  finish()
  return ({ subject, resource, action, context, now }) =>
    parsed({
      subject: new SubjectValue(subject.id, subject.email, readableAttributes(subject.properties)),
      resource: new ResourceValue(
        resource.type,
        resource.id,
        readableAttributes(resource.properties)
      ),
      action: new ActionValue(action.name, readableAttributes(action.properties)),
      context: readableAttributes(context),
      now,
    })
}

function orInvalid<T>(text: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw describe(text, error)
  }
}

interface LibraryError {
  summary?: string
  code?: string
  range?: { start: number }
}

function describe(text: string, error: unknown): InvalidExpression {
  const { summary, code, range } = error as LibraryError
  if (summary === undefined) throw error
  const before = text.slice(0, range?.start ?? 0).split('\n')
  return new InvalidExpression(reasonOf(code, summary), before.length, before.at(-1)!.length + 1)
}

const TOKENS: Record<string, string> = {
  EOF: 'the end',
  NUMBER: 'a number',
  STRING: 'a text',
  BYTES: 'bytes',
  BOOLEAN: 'true or false',
  NULL: 'null',
  IDENTIFIER: 'a name',
  PLUS: '`+`',
  MINUS: '`-`',
  MULTIPLY: '`*`',
  DIVIDE: '`/`',
  MODULO: '`%`',
  EQ: '`==`',
  NE: '`!=`',
  LT: '`<`',
  LE: '`<=`',
  GT: '`>`',
  GE: '`>=`',
  AND: '`&&`',
  OR: '`||`',
  NOT: '`!`',
  IN: '`in`',
  LPAREN: '`(`',
  RPAREN: '`)`',
  LBRACKET: '`[`',
  RBRACKET: '`]`',
  LBRACE: '`{`',
  RBRACE: '`}`',
  DOT: '`.`',
  COMMA: '`,`',
  COLON: '`:`',
  QUESTION: '`?`',
}

function reasonOf(code: string | undefined, summary: string): string {
  const readable = summary.replaceAll(/\b[A-Z]{2,}\b/g, (name) => TOKENS[name] ?? name)
  switch (code) {
    case 'unknown_variable':
      return `${summary}. There are subject, resource, action, context and now`
    case 'no_such_key':
      return summary.replace('No such key', 'Unknown field')
    case 'limit_exceeded':
      return 'The condition is too long or too deeply nested'
    case 'no_matching_overload':
      return summary.replace('found no matching overload for', 'No function takes these types:')
    case 'no_such_overload':
      return summary.replace('no such overload', 'These types do not go together')
    case 'unexpected_token':
    case 'expected_token':
      return readable
    default:
      return summary
  }
}
