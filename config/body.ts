import string from '@adonisjs/core/helpers/string'
import env from '#start/env'

export default {
  /** Largest accepted JSON body in bytes (decisions 1.8); `BODY_LIMIT` takes `2mb` and the like. */
  limit: string.bytes.parse(env.get('BODY_LIMIT') ?? '1mb') ?? 1_048_576,
}
