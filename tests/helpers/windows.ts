/** What lists say about a row without a time window. */
export const ALWAYS_ACTIVE = { validFrom: null, validUntil: null, state: 'active' }
