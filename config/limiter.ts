import { defineConfig, stores } from '@adonisjs/limiter'
import type { InferLimiters } from '@adonisjs/limiter/types'
import env from '#start/env'

const limiterConfig = defineConfig({
  default: 'memory',
  stores: { memory: stores.memory({}) },
})

export default limiterConfig

/** Requests per minute and caller for each authentication class; 0 means no limit. */
export const rateLimits = {
  token: env.get('RATE_LIMIT_TOKEN') ?? 6_000,
  internal: env.get('RATE_LIMIT_INTERNAL') ?? 60_000,
  webhook: env.get('RATE_LIMIT_WEBHOOK') ?? 6_000,
  /** Endpoints without authentication. */
  public: env.get('RATE_LIMIT_PUBLIC') ?? 6_000,
  check: env.get('RATE_LIMIT_CHECK') ?? 0,
  /** Failed authentications per minute and client address, in all classes together. */
  failedAuthentication: env.get('RATE_LIMIT_FAILED_AUTH') ?? 60,
}

declare module '@adonisjs/limiter/types' {
  export interface LimitersList extends InferLimiters<typeof limiterConfig> {}
}
