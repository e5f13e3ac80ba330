import env from '#start/env'

const ONE_YEAR_SECONDS = 31_536_000

/** Headers of every response. Caching is off by default, because most responses are private. */
export const COMMON_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  ...(env.get('APP_URL')?.startsWith('https:') && {
    'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}`,
  }),
}
