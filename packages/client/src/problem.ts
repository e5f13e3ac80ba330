/** An error response of Concierge (RFC 9457). */
export interface ProblemDetails {
  type: string
  title: string
  status: number
  detail: string
  /** Stable, in upper case. Use it to distinguish errors. */
  code: string
  details: Record<string, unknown>
  requestId: string
}

/** A refused request. Use the stable `code`; texts are for people. */
export class ConciergeProblem extends Error {
  override readonly name = 'ConciergeProblem'
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  /** Identifies the request in the service's log. */
  readonly requestId: string | null

  constructor(status: number, given: unknown) {
    const problem = isProblem(given) ? given : undefined
    super(problem?.detail ?? `Concierge responded with status ${status}`)
    this.status = status
    this.code = problem?.code ?? 'UNEXPECTED_RESPONSE'
    this.details = problem?.details ?? {}
    this.requestId = problem?.requestId ?? null
  }
}

function isProblem(given: unknown): given is ProblemDetails {
  return typeof given === 'object' && given !== null && 'code' in given && 'detail' in given
}
