import type Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'
import { httpLink } from '#app/applications/values/http_link'

/** Uses `data.url`, relative to the application's first instance, or else that instance's URL. */
export async function pushUrl(
  application: Application,
  data: Record<string, unknown>
): Promise<string | null> {
  const wanted = typeof data.url === 'string' ? data.url : ''
  const absolute = httpLink(wanted)
  if (absolute) return absolute
  const instance = await Instance.query()
    .where('applicationId', application.id)
    .orderBy('id')
    .first()
  if (!instance) return null
  return httpLink(wanted, instance.baseUrl) ?? httpLink(instance.baseUrl)
}
