/** Why an address gets no mail (suppressions.md#reasons). */
export const SUPPRESSION_REASONS = ['hard_bounce', 'complaint', 'manual', 'soft_bounces'] as const

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]

/** Decisions of people, unlike reports of mail servers, outlive an erasure of the user. */
export const KEPT_AFTER_ERASURE: readonly SuppressionReason[] = ['complaint', 'manual']
