import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type Api, api, ifMatch } from '@/api/client'
import { typesKey } from '@/queries/notification_types'

export type Sample = components['schemas']['TypeSample']
/** The sample data of a type, with the tag that a write needs. */
export interface Samples {
  all: Sample[]
  etag: string | null
}

export interface TypePlace {
  appCode: string
  type: string
}

const ALL = '/api/admin/notifications/types/{appCode}/{type}/samples'

export const samplesKey = ({ appCode, type }: TypePlace) => [...typesKey(appCode), type, 'samples']

export const useSamples = (place: TypePlace) =>
  useQuery({
    queryKey: samplesKey(place),
    async queryFn({ signal }): Promise<Samples> {
      const { data, response } = await api.GET(ALL, { params: { path: { ...place } }, signal })
      return { all: data!.data, etag: response.headers.get('etag') }
    },
  })

/** Replaces all sample data of a type. */
export const saveSamples = (
  target: Api,
  place: TypePlace,
  samples: Sample[],
  etag: string | null
) => target.PUT(ALL, { params: { path: { ...place }, ...ifMatch(etag) }, body: { samples } })
