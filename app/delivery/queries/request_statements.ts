import { usesPostgres } from '#core/database/dialect'
import { selectedColumns } from '#core/database/joined_models'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import type { DigestChoice } from '#app/notifications/values/digest_frequency'
import Brand from '#app/platform/models/brand'
import User from '#app/profiles/models/user'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

/** With the columns of the models. Those of a user are null if the address has no record. */
export interface RecipientRow extends Record<string, unknown> {
  position: number
  notifications_enabled: unknown
  /** Null without a preference of the user for the type */
  prefers_email: unknown
  prefers_push: unknown
  preferred_digest: DigestChoice | null
  /** Null if the address gets mail */
  suppressed: SuppressionReason | null
  has_browsers: unknown
}

/**
 * One statement for all that is known of recipients: eight queries took a third of the time of a
 * single send (`benchmarks/delivery`).
 */
function prepareStatements() {
  const given = jsonRows({
    position: 'integer',
    email: 'text',
    keys: 'jsonText',
    application_id: 'integer',
    type_id: 'integer',
  })
  const keys = usesPostgres()
    ? '= any(array(select json_array_elements_text(cast(given.keys as json))))'
    : 'in (select value from json_each(given.keys))'
  return {
    recipients: new PreparedQuery<RecipientRow>(
      'recipients_of_requests',
      `select given.position, ${selectedColumns(User)}, ${selectedColumns(Brand)},
         switches.notifications_enabled, chosen.email as prefers_email,
         chosen.push as prefers_push, chosen.digest as preferred_digest,
         (select suppressions.reason from suppressions
          where suppressions.email ${keys} limit 1) as suppressed,
         exists (select 1 from push_subscriptions
                 where push_subscriptions.user_id = users.id) as has_browsers
       from ${given.source}
       left join users on users.email = given.email
       left join application_preferences switches
         on switches.user_id = users.id and switches.application_id = given.application_id
       left join notification_preferences chosen
         on chosen.user_id = users.id and chosen.notification_type_id = given.type_id
       left join brands on brands.id =
         coalesce(users.brand_id, (select usual.id from brands usual where usual.is_default))`
    ),
  }
}

let statements: ReturnType<typeof prepareStatements> | undefined

/** Prepared on first use, because the database is known only after boot. */
export const requestStatements = () => (statements ??= prepareStatements())
