/**
 * The response envelopes of the specification's section 4.0, one function each. Bare answers need none.
 */

/** Envelope A. */
export const success = <T>(data: T) => ({ success: true as const, data })

/** Envelope B. */
export const ok = <T>(response: T) => ({ code: 'OK' as const, response })

/** Envelope D. */
export const enclosed = <T>(data: T) => ({ data })
