import { isAbsolute, join } from 'node:path'
import type { Client } from 'pg'
import app from '@adonisjs/core/services/app'
import { defineConfig } from '@adonisjs/lucid'
import env from '#start/env'
import postgres from '#config/postgres'
import { cacheStatements } from '#core/database/cached_statements'
import { discardUnusableConnection } from '#core/database/discard_unusable_connection'
import { keepPlans } from '#core/database/keep_plans'
import { limitTransactions } from '#core/database/limit_transactions'
import { limitLockWaits } from '#core/database/lock_wait'
import { protectSqliteFile } from '#core/database/protect_sqlite_file'
import { REPLICA } from '#core/database/servers/replica'
import { connectionSettings } from '#core/database/servers/connection_settings'
import { noticeLostClient } from '#core/database/servers/notice_lost_client'
import { projectPath } from '#core/process/root'

const connection = env.get('DB_CONNECTION') ?? 'sqlite'
const isCommand = app.getEnvironment() === 'console'

/** Relative to the project, not to `build/`, which the next build deletes. */
function sqlitePath() {
  const configured = env.get('SQLITE_PATH') || 'tmp/concierge.sqlite3'
  const path = isAbsolute(configured) ? configured : join(projectPath(), configured)
  protectSqliteFile(path)
  return path
}

/** Of each PostgreSQL server that is used. */
const pool = {
  min: 0,
  max: env.get('DATABASE_POOL') ?? 10,
  afterCreate(conn: Client, done: (error: unknown, conn: Client) => void) {
    discardUnusableConnection(conn)
    limitTransactions(conn)
    noticeLostClient(conn).then(
      () => done(null, conn),
      (error) => {
        // The pool forgets it, but would leave it open.
        conn.connection.stream.destroy()
        done(error, conn)
      }
    )
  },
}

/** SQLite maps no more than this of a file, and reads the rest as usual. */
const MAPPED_BYTES = 2_147_418_112

/** What SQLite's write-ahead log keeps after a larger transaction, 64 MiB. */
const MAX_LOG_BYTES = 67_108_864

const migrations = { naturalSort: true, paths: ['database/migrations'] }

export default defineConfig({
  connection,
  connections: {
    ...(connection === 'sqlite' && {
      sqlite: {
        client: 'better-sqlite3',
        connection: { filename: sqlitePath() },
        useNullAsDefault: true,
        pool: {
          afterCreate(conn, done) {
            limitLockWaits(conn)
            keepPlans(conn)
            cacheStatements(conn)
            conn.pragma('journal_mode = WAL')
            // Otherwise the log keeps the size of the largest transaction for good.
            conn.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`)
            // Reads pages from the cache of the system. Copying each into SQLite's own cache, which
            // holds 16 MB, made checks slower the more users there are.
            conn.pragma(`mmap_size = ${MAPPED_BYTES}`)
            // With less, a power failure can undo acknowledged writes, such as a revoked
            // permission.
            conn.pragma(`synchronous = ${env.get('SQLITE_SYNCHRONOUS') ?? 'full'}`)
            // Overwrites what is deleted, so that no erased text is left in unused parts of the
            // file.
            conn.pragma('secure_delete = ON')
            conn.pragma('foreign_keys = ON')
            done(null, conn)
          },
        },
        migrations,
        schemaGeneration: {
          enabled: app.inDev && !app.inTest,
          outputPath: 'database/schema.ts',
          rulesPaths: ['./database/schema_rules.js'],
        },
      },
    }),
    ...(connection === 'pg' && {
      pg: {
        client: 'pg',
        connection: connectionSettings({
          connectionString: postgres.url,
          // An unresponsive server must cause a 503 within five seconds, not a hanging request.
          connectionTimeoutMillis: 3_000,
          query_timeout: isCommand ? 60_000 : 3_500,
          keepAlive: true,
        }),
        pool: {
          ...pool,
          acquireTimeoutMillis: 3_500,
          createTimeoutMillis: 3_500,
        },
        migrations,
        schemaGeneration: { enabled: false },
      },
    }),
    ...(postgres.replicaUrl !== null && {
      [REPLICA]: {
        client: 'pg',
        // Short, because the primary can answer instead, within the limits above.
        connection: {
          connectionString: postgres.replicaUrl,
          connectionTimeoutMillis: 1_000,
          query_timeout: 1_000,
          keepAlive: true,
        } as { connectionString: string },
        pool: { ...pool, acquireTimeoutMillis: 1_000, createTimeoutMillis: 1_000 },
        schemaGeneration: { enabled: false },
      },
    }),
  },
})
