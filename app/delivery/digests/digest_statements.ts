import { usesPostgres } from '#core/database/dialect'
import { jsonRows } from '#core/database/json_rows'
import { PreparedQuery } from '#core/database/prepared_query'

function prepareStatements() {
  const digests = jsonRows({
    user_id: 'integer',
    application_id: 'integer',
    notification_type_id: 'integer',
    due_at: 'timestamptz',
    created_at: 'timestamptz',
  })
  const items = jsonRows({ notification_id: 'integer', digest_id: 'integer', content: 'text' })
  const earlier = usesPostgres() ? 'least' : 'min'
  return {
    /** In one order, so that concurrent sends cannot deadlock. Whoever ends a digest locks it. */
    openDigests: new PreparedQuery<{ id: number; user_id: number; notification_type_id: number }>(
      'open_digests',
      `insert into digests (${digests.names})
       select ${digests.values} from ${digests.source} where true
       order by given.user_id, given.notification_type_id
       on conflict (user_id, notification_type_id) do update
         set due_at = ${earlier}(digests.due_at, excluded.due_at)
       returning id, user_id, notification_type_id`
    ),
    addItems: new PreparedQuery<never>(
      'add_digest_items',
      `insert into digest_items (${items.names})
       select ${items.values} from ${items.source} where true
       on conflict (notification_id) do nothing`
    ),
  }
}

let statements: ReturnType<typeof prepareStatements> | undefined

/** Prepared on first use, because the database is known only after boot. */
export const digestStatements = () => (statements ??= prepareStatements())
