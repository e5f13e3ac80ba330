import env from '#start/env'

const ONE_YEAR_SECONDS = 31_536_000

/**
 * Headers of every answer. Answers are not cached unless they allow it themselves: most are
 * private, and a forgotten header must not expose them.
 */
export const COMMON_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  ...(env.get('APP_URL')?.startsWith('https:') && {
    'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}`,
  }),
}
