/** Concierge could not be reached, or did not respond in time. It may have done its work. */
export class ConciergeUnreachable extends Error {
  override readonly name = 'ConciergeUnreachable'
  /** `timeout`: no complete response within `timeoutMs`. */
  readonly reason: 'timeout' | 'connection'

  /** @param failure what `fetch` reports, which hides the reason in its `cause` */
  constructor(failure: unknown) {
    const reason = isTimeout(failure) ? 'timeout' : 'connection'
    const cause = rootCause(failure)
    super(
      reason === 'timeout'
        ? 'Concierge did not respond in time'
        : `Concierge could not be reached: ${describe(cause)}`,
      { cause }
    )
    this.reason = reason
  }
}

const isTimeout = (failure: unknown) =>
  failure instanceof DOMException && failure.name === 'TimeoutError'

function rootCause(failure: unknown): unknown {
  const cause = failure instanceof Error && failure.cause !== undefined ? failure.cause : failure
  return cause instanceof AggregateError ? cause.errors[0] : cause
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no connection'
  const { code } = cause as Error & { code?: string }
  return cause.message || code || 'no connection'
}
