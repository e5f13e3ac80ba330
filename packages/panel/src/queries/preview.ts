import type { BodyOf } from '@/api/client'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { api } from '@/api/client'
import { type PageOfRows, usePages } from '@/api/paged'
import { FLIPS_PER_PAGE, type Flip, type FlipCounts, flipPageOf } from '@/queries/flips'

/** A change as the service tries it out. */
export type AccessChange = BodyOf<'access.previews.store'>['changes'][number]

const PREVIEW = '/api/applications/{appCode}/access/preview'

/** Who would gain and lose what by changes, a page at a time. */
export const usePreview = (appCode: string, changes: MaybeRefOrGetter<AccessChange[] | null>) =>
  usePages<Flip, { counts: FlipCounts }>(
    computed(() => ['access', appCode, 'preview', toValue(changes)]),
    async (cursor, signal): Promise<PageOfRows<Flip> & { counts: FlipCounts }> => {
      const params = { path: { appCode } }
      const body = { changes: toValue(changes)!, limit: FLIPS_PER_PAGE, ...(cursor && { cursor }) }
      return flipPageOf((await api.POST(PREVIEW, { params, body, signal })).data!.data)
    },
    () => (toValue(changes)?.length ?? 0) > 0
  )
