import { ConciergeProblem, ConciergeUnreachable } from '@concierge/client'
import { EXIT } from './exit_codes.ts'
import { printable } from './terminal/printable.ts'

const SHOWN_VALUES = 10
const SHOWN_ERRORS = 5
export const STALE = 'STALE'
const STALE_TEXT = 'Someone else changed it meanwhile, so nothing was changed'

/** An error whose message is meant for the user. */
export class Failure extends Error {
  readonly exitCode: number
  readonly hint: string | undefined

  constructor(message: string, exitCode: number, hint?: string) {
    super(message)
    this.exitCode = exitCode
    this.hint = hint
  }
}

/** @param what the response is or lacks, such as `has no data` */
export const notConcierge = (what: string) =>
  new Failure(`The server is not Concierge: its response ${what}`, EXIT.unreachable, 'Check --url')

export const usageFailure = (message: string, hint?: string) =>
  new Failure(message, EXIT.usage, hint)

/** @param code the one the service would have used */
export const notFound = (code: string, message: string) =>
  new Failure(`${code}: ${message}`, EXIT.refused)

export function describeError(error: unknown): {
  message: string
  exitCode: number
  hint?: string
} {
  if (error instanceof Failure) {
    return { message: printable(error.message), exitCode: error.exitCode, hint: error.hint }
  }
  if (error instanceof ConciergeProblem) return explainProblem(error)
  if (error instanceof ConciergeUnreachable) {
    const increase = error.reason === 'timeout' ? 'Increase --timeout, or run' : 'Run'
    const hint = `${increase}: concierge doctor`
    return { message: printable(error.message), exitCode: EXIT.unreachable, hint }
  }
  if (error instanceof SyntaxError) return describeError(notConcierge('is not JSON'))
  const message = error instanceof Error ? error.message : String(error)
  return { message: printable(message), exitCode: EXIT.usage }
}

function explainProblem({ status, code, message, details, requestId }: ConciergeProblem) {
  const context = [String(status), ...(requestId === null ? [] : [`request ${requestId}`])]
  const text = code === STALE ? STALE_TEXT : explain(message, code, details)
  const isFromConcierge = code !== 'UNEXPECTED_RESPONSE' && status < 500
  return {
    message: printable(`${code}: ${text} (${context.join(', ')})`),
    exitCode: isFromConcierge ? EXIT.refused : EXIT.unreachable,
    hint: hintFor(status, code),
  }
}

const explain = (message: string, code: string, details: Record<string, unknown>) =>
  [...new Set([message, ...fieldErrors(details), ...facts(code, details)])].join('; ')

function hintFor(status: number, code: string): string | undefined {
  if (code === 'UNEXPECTED_RESPONSE') return 'Check --url'
  if (code === STALE) return 'Run the command again'
  if (status === 401)
    return 'Sign in with: concierge login (or check --token, --internal-key and --check-key)'
  return undefined
}

function fieldErrors({ errors }: Record<string, unknown>): string[] {
  if (!Array.isArray(errors)) return []
  const shown = errors.slice(0, SHOWN_ERRORS)
  const others = errors.length - shown.length
  return [
    ...shown.map((each) => String((each as { message?: unknown }).message ?? '')),
    ...(others > 0 ? [`and ${others} more`] : []),
  ]
}

/** Details such as missing variables or available templates. */
function facts(code: string, details: Record<string, unknown>): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]).filter((each) => each !== code)
    const isPlain = values.every((each) => ['string', 'number'].includes(typeof each))
    if (!isPlain || (values.length === 0 && !Array.isArray(value))) return []
    const shown = values.slice(0, SHOWN_VALUES).join(', ') || 'none'
    return [`${name}: ${shown}${values.length > SHOWN_VALUES ? ', …' : ''}`]
  })
}
