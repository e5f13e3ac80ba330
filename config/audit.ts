import env from '#start/env'

/** Null keeps entries forever. */
export default { days: env.get('AUDIT_RETENTION_DAYS') || null }
