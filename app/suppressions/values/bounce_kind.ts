/** See suppressions.md#kinds-of-bounces. */
export const BOUNCE_KINDS = ['hard', 'soft', 'complaint'] as const

export type BounceKind = (typeof BOUNCE_KINDS)[number]
