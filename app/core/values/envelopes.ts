/**
 * The response envelopes of conventions.md#envelopes, one function each. Bare answers need none.
 */

/** Envelope A. */
export const successEnvelope = <T>(data: T) => ({ success: true as const, data })

/** Envelope B. */
export const responseEnvelope = <T>(response: T) => ({ code: 'OK' as const, response })

/** Envelope D. */
export const dataEnvelope = <T>(data: T) => ({ data })
