/** See conventions.md#envelopes. */

export const successEnvelope = <T>(data: T) => ({ success: true as const, data })

export const responseEnvelope = <T>(response: T) => ({ code: 'OK' as const, response })

export const dataEnvelope = <T>(data: T) => ({ data })
