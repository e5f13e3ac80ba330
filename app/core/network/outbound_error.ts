export type OutboundReason = 'connect' | 'timeout' | 'address' | 'too_large'

export class OutboundError extends Error {
  override name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    cause?: unknown
  ) {
    super(`The request failed: ${reason}`, { cause })
  }

  static from(error: unknown): OutboundError {
    if (error instanceof OutboundError) return error
    const isTimeout =
      error instanceof Error &&
      (error.name === 'TimeoutError' ||
        ('code' in error && /TIME(?:D)?OUT/.test(String(error.code))))
    return new OutboundError(isTimeout ? 'timeout' : 'connect', error)
  }
}
