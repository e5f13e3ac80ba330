import app from '@adonisjs/core/services/app'
import { OriginCache } from '#core/http/origin_cache'

/** The origins of approved instances. CORS allows their pages to call this service. */
export const instanceOrigins = new OriginCache(async () => {
  // A dynamic import, because the model imports this file.
  const { default: Instance } = await import('#app/applications/models/instance')
  const instances = await Instance.query().distinct('base_url').where('approved', true)
  return instances.flatMap(({ baseUrl }) => originOf(baseUrl) ?? [])
})

function originOf(baseUrl: string): string | null {
  const url = URL.parse(baseUrl)
  const schemes = app.inProduction ? ['https:'] : ['https:', 'http:']
  return url !== null && schemes.includes(url.protocol) ? url.origin : null
}
