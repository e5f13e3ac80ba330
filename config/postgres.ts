import env from '#start/env'

const url = env.get('DATABASE_URL') ?? ''

/** Connection strings, which can name several servers, and what connections may use. */
export default {
  url,
  /** Without a pooler in between, for what needs a session of its own. */
  directUrl: env.get('DATABASE_LISTEN_URL') || url,
  /** Null without a replica, and on SQLite. */
  replicaUrl: (env.get('DB_CONNECTION') === 'pg' && env.get('DATABASE_REPLICA_URL')) || null,
  /** Poolers that give each transaction another session may not support named statements. */
  namesStatements: env.get('DATABASE_NAMED_STATEMENTS') ?? true,
}
