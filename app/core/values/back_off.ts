export interface BackOff {
  firstMs: number
  /** How much longer each pause is than the one before. Default: 2 */
  factor?: number
  longestMs?: number
  /** The share by which a pause is shortened or extended at random, so that retries spread. */
  jitter?: number
}

/** The pause after an attempt, in milliseconds. @param attempt 1 for the first one */
export function backOffMs(attempt: number, options: BackOff): number {
  const { firstMs, factor = 2, longestMs = Number.POSITIVE_INFINITY, jitter = 0 } = options
  const ms = Math.min(firstMs * factor ** (attempt - 1), longestMs)
  return ms * (1 + jitter * (2 * Math.random() - 1))
}
