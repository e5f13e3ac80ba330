import type { DateTime } from 'luxon'
import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'
import type { InboxItem } from '#app/inbox/queries/inbox_items'

interface BaseUrl {
  url: string
  /** Older items belong to a former application with the same code. */
  since: DateTime
}

/** The address of the first instance of each application, by its code. */
export type BaseUrls = ReadonlyMap<string, BaseUrl>

/** Of the applications whose items have a relative link; usually none. */
export async function readBaseUrls(
  items: Pick<InboxItem, 'appCode' | 'payload'>[]
): Promise<BaseUrls> {
  const relative = items.filter(
    ({ payload: { url } }) => typeof url === 'string' && url !== '' && !URL.canParse(url)
  )
  if (relative.length === 0) return new Map()
  const codes = new Set(relative.map(({ appCode }) => appCode))
  const applications = await Application.query()
    .select('id', 'code', 'createdAt')
    .whereIn('code', [...codes])
  const instances = await Instance.query()
    .select('applicationId', 'baseUrl')
    .whereIn(
      'applicationId',
      applications.map(({ id }) => id)
    )
    .orderBy('id')
  return new Map(
    applications.flatMap(({ id, code, createdAt: since }) => {
      const first = instances.find(({ applicationId }) => applicationId === id)
      return first ? [[code, { url: first.baseUrl, since }] as const] : []
    })
  )
}
