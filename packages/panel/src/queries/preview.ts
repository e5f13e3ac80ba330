import type { BodyOf } from '@/api/client'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api } from '@/api/client'
import { type PageOfRows, usePages } from '@/api/paged'
import { FLIPS_PER_PAGE, type Flip, type FlipCounts, flipPageOf } from '@/queries/flips'

/** A change as the service tries it out. */
export type AccessChange = BodyOf<'access.previews.store'>['changes'][number]

const PREVIEW = '/api/applications/{appCode}/access/preview'

/** Tries changes out. Nothing is stored. */
export const previewChanges = (
  target: Api,
  appCode: string,
  body: BodyOf<'access.previews.store'>,
  signal?: AbortSignal
) => target.POST(PREVIEW, { params: { path: { appCode } }, body, signal })

/** Who would gain and lose what by changes, a page at a time. */
export const usePreview = (appCode: string, changes: MaybeRefOrGetter<AccessChange[] | null>) =>
  usePages<Flip, { counts: FlipCounts }>(
    computed(() => ['access', appCode, 'preview', toValue(changes)]),
    async (cursor, signal): Promise<PageOfRows<Flip> & { counts: FlipCounts }> => {
      const body = { changes: toValue(changes)!, limit: FLIPS_PER_PAGE, ...(cursor && { cursor }) }
      return flipPageOf((await previewChanges(api, appCode, body, signal)).data!.data)
    },
    () => (toValue(changes)?.length ?? 0) > 0
  )
