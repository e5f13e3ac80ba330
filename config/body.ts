import string from '@adonisjs/core/helpers/string'
import env from '#start/env'

const limit = string.bytes.parse(env.get('BODY_LIMIT') ?? '1mb') ?? 1_048_576

export default {
  /** Largest accepted JSON body in bytes; `BODY_LIMIT` takes `2mb` and the like. */
  limit,
  /** The same for what people send about themselves: anybody with an account can send it. */
  ownLimit: Math.min(limit, 65_536),
  /** The same for events and mails of the identity provider, which have a few KiB. */
  hookLimit: Math.min(limit, 262_144),
  /** The same for checks of one's own rights, which may ask for 500 permissions at once. */
  ownChecksLimit: Math.min(limit, 262_144),
}
