import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { toProblem } from '#core/exceptions/to_problem'

/** What an operator is told in place of a stack trace; what is a fault of ours is in the log, too. */
export function explainRefusal(error: unknown): { code: string; message: string } {
  const { kind, message, details } = toProblem(error)
  if (kind.status === 500) logger.error({ error: describeError(error) }, 'A command failed')
  const facts = Object.entries(details)
    .filter(([name]) => name !== 'errors')
    .map(([name, value]) => `; ${name}: ${JSON.stringify(value)}`)
  return { code: kind.code, message: `${message}${facts.join('')}` }
}
