import type Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'

const MAX_LENGTH = 2_048

/**
 * Where a click on the message leads: `data.url`, else the application. Relative links count from the application's
 * first instance; anything but http and https leads nowhere good and is not used.
 */
export async function pushUrl(
  application: Application,
  data: Record<string, unknown>
): Promise<string | null> {
  const wanted = typeof data.url === 'string' ? data.url : ''
  const absolute = usable(wanted)
  if (absolute) return absolute
  const instance = await Instance.query()
    .where('applicationId', application.id)
    .orderBy('id')
    .first()
  if (!instance) return null
  return usable(wanted, instance.baseUrl) ?? usable(instance.baseUrl)
}

function usable(text: string, base?: string): string | null {
  const url = text === '' ? null : URL.parse(text, base)
  const isHttp = url !== null && /^https?:$/.test(url.protocol)
  return isHttp && url.href.length <= MAX_LENGTH ? url.href : null
}
