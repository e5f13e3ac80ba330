import string from '@adonisjs/core/helpers/string'
import env from '#start/env'

const limit = string.bytes.parse(env.get('BODY_LIMIT') ?? '1mb') ?? 1_048_576

export default {
  /** The largest JSON body in bytes. `BODY_LIMIT` accepts values such as `2mb`. */
  limit,
  /** For data that people send about themselves. */
  ownLimit: Math.min(limit, 65_536),
  /** For events and mails of the identity provider, which have a few KiB. */
  hookLimit: Math.min(limit, 262_144),
  /** For checks of one's own permissions, up to 500 at a time. */
  ownChecksLimit: Math.min(limit, 262_144),
}
