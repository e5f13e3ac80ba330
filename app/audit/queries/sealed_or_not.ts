/**
 * The indexes of `audit_entries` cover sealed entries only, so that a change does not write to each
 * of them: sealing adds many entries at once. A query therefore asks for both kinds separately,
 * unsealed ones first: an entry that is sealed in between is found twice, but never missed.
 */
export const SEALED_OR_NOT = ['sequence is null', 'sequence is not null'] as const

export type SealedOrNot = (typeof SEALED_OR_NOT)[number]
