import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { toProblem } from '#core/exceptions/to_problem'

/** Logs unexpected errors; operators see a message instead of a stack trace. */
export function describeCommandError(error: unknown): { code: string; message: string } {
  const { kind, message, details } = toProblem(error)
  if (kind.status === 500) logger.error({ error: describeError(error) }, 'A command failed')
  const suffixes = Object.entries(details)
    .filter(([name]) => name !== 'errors')
    .map(([name, value]) => `; ${name}: ${JSON.stringify(value)}`)
  return { code: kind.code, message: `${message}${suffixes.join('')}` }
}
