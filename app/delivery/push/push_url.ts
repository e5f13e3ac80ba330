import type Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'

const MAX_LENGTH = 2_048

/** Uses `data.url`, relative to the application's first instance, or else that instance's URL. */
export async function pushUrl(
  application: Application,
  data: Record<string, unknown>
): Promise<string | null> {
  const wanted = typeof data.url === 'string' ? data.url : ''
  const absolute = parseHttpUrl(wanted)
  if (absolute) return absolute
  const instance = await Instance.query()
    .where('applicationId', application.id)
    .orderBy('id')
    .first()
  if (!instance) return null
  return parseHttpUrl(wanted, instance.baseUrl) ?? parseHttpUrl(instance.baseUrl)
}

function parseHttpUrl(text: string, base?: string): string | null {
  const url = text === '' ? null : URL.parse(text, base)
  const isHttp = url !== null && /^https?:$/.test(url.protocol)
  return isHttp && url.href.length <= MAX_LENGTH ? url.href : null
}
