import { usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'

/** Hand-written, because every send uses them: see `benchmarks/delivery`. */
function prepareStatements() {
  const notifications = jsonRows({
    email: 'text',
    app_code: 'text',
    app_name: 'text',
    type: 'text',
    template_key: 'text',
    locale: 'text',
    subject: 'text',
    status: 'text',
    status_reason: 'text',
    payload: 'jsonText',
    in_inbox: 'boolean',
    scheduled_for: 'timestamptz',
    broadcast_id: 'integer',
    template_source: 'text',
    sensitive_variables: 'jsonText',
    body_text: 'text',
    body_html: 'text',
    digest_size: 'integer',
    explanation: 'text',
    created_at: 'timestamptz',
  })
  const recipients = jsonRows({ id: 'integer' }, '$2')
  const texts = jsonRows({
    id: 'integer',
    email: 'text',
    app_name: 'text',
    template_key: 'text',
    locale: 'text',
    subject: 'text',
    template_source: 'text',
    body_text: 'text',
    body_html: 'text',
  })
  const deliveries = jsonRows({
    notification_id: 'integer',
    channel: 'text',
    status: 'text',
    attempts: 'integer',
    provider_message_id: 'text',
    error: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  })
  const insertion = (name: string, lock: string) =>
    new PreparedQuery<{ id: number }>(
      name,
      `with recipients as (
         select users.id from users where users.id in (select given.id from ${recipients.source})
         order by users.email ${usesPostgres() ? lock : ''}
       )
       insert into notifications (${notifications.names})
       select ${notifications.values} from ${notifications.source}
       where (select count(*) from recipients) = (select count(*) from ${recipients.source})
       returning id`
    )
  return {
    /**
     * Inserts nothing unless all recipients in `$2` still have their records. The lock makes an
     * erasure of a recipient come before or after it (profiles.md#erasing-a-user).
     */
    insertNotifications: insertion('insert_notifications', 'for key share'),
    /** The same, but inserts nothing either while one of them is being erased. */
    insertUnlessLocked: insertion('insert_unless_locked', 'for key share skip locked'),
    updateTexts: new PreparedQuery<{ done: number }>(
      'update_notification_texts',
      `update notifications set app_name = given.app_name, template_key = given.template_key,
         locale = given.locale, subject = given.subject, template_source = given.template_source,
         body_text = given.body_text, body_html = given.body_html
       from ${texts.source}
       where notifications.id = given.id and notifications.email = given.email returning 1 as done`
    ),
    /** Of digests, whose attempts are recorded elsewhere. */
    insertDigestDeliveries: new PreparedQuery<{ id: number }>(
      'insert_digest_deliveries',
      `insert into deliveries (${deliveries.names})
       select ${deliveries.values} from ${deliveries.source} returning id`
    ),
  }
}

let statements: ReturnType<typeof prepareStatements> | undefined

/** Prepared on first use, because the database is known only after boot. */
export const recordStatements = () => (statements ??= prepareStatements())
