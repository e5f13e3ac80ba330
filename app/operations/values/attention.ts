/** The longest list of what needs attention. */
export const MAX_ATTENTION = 100

/** See platform.md#attention. */
export interface Attention {
  kind:
    | 'smtp_not_configured'
    | 'smtp_unreachable'
    | 'provider_unreachable'
    | 'provider_mails_not_set_up'
    | 'migrations_pending'
    | 'sends_waiting'
    | 'provider_mails_waiting'
    | 'broadcasts_waiting'
    | 'webhook_events_waiting'
    | 'deliveries_failed'
    | 'keys_expired'
    | 'keys_expiring'
    | 'grants_ending'
    | 'instances_unapproved'
    | 'permissions_unassigned'
  /** Null for the platform */
  appCode: string | null
  /** How many there are; null if there is nothing to count */
  count: number | null
}
