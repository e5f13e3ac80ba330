import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabaseOn } from '#tests/world/postgres'

interface UnmigratedDatabase {
  settings: Record<string, string>
  drop: () => Promise<void>
}

/** A database without tables, of the kind that is being tested. */
export async function anUnmigratedDatabase(): Promise<UnmigratedDatabase> {
  if (process.env.DB_CONNECTION === 'pg') {
    const { url, stop } = await createDatabaseOn(process.env.DATABASE_URL!)
    return { settings: { DATABASE_URL: url }, drop: stop }
  }
  const folder = mkdtempSync(join(tmpdir(), 'concierge-unmigrated-'))
  return {
    settings: { SQLITE_PATH: join(folder, 'empty.sqlite3') },
    drop: async () => rmSync(folder, { recursive: true }),
  }
}
