import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { TABLES_OF_RIGHTS } from '#app/permissions/values/tables_of_rights'

/** Those of the addresses that hold rights. */
export async function findHolders(
  emails: string[],
  client: QueryClientContract
): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const [first, ...others] = TABLES_OF_RIGHTS.map((table) =>
    client.from(table).whereIn('email', emails).select('email')
  )
  const rows: { email: string }[] = await first.union(others)
  return new Set(rows.map(({ email }) => email))
}
