import type { components, operations } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type Api, api, ifMatch } from '@/api/client'
import { useChange } from '@/queries/use_change'

export type Brand = components['schemas']['Brand']
/** A brand, with the tag that a write needs. */
export type TaggedBrand = Brand & { etag: string | null }

type BodyOf<Operation extends { requestBody?: { content: { 'application/json': unknown } } }> =
  NonNullable<Operation['requestBody']>['content']['application/json']
export type NewBrand = BodyOf<operations['platform.brands.store']>
export type BrandChanges = BodyOf<operations['platform.brands.update']>

const LIST = '/api/admin/brands'
const ONE = `${LIST}/{id}` as const

export const BRANDS = ['brands']

export const useBrand = (id: number) =>
  useQuery({
    queryKey: [...BRANDS, id],
    async queryFn({ signal }): Promise<TaggedBrand> {
      const { data, response } = await api.GET(ONE, { params: { path: { id } }, signal })
      return { ...data!.data, etag: response.headers.get('etag') }
    },
  })

export const createBrand = async (target: Api, body: NewBrand) =>
  (await target.POST(LIST, { body })).data?.data

export const updateBrand = (
  target: Api,
  { id, etag }: { id: number; etag: string | null },
  body: BrandChanges
) => target.PUT(ONE, { params: { path: { id }, ...ifMatch(etag) }, body })

/** What a deletion would take. */
export const useBrandDeletion = (id: number) =>
  useQuery({
    queryKey: [...BRANDS, id, 'deletion'],
    staleTime: 0,
    retry: false,
    async queryFn() {
      const params = { path: { id }, query: { dryRun: 'true' as const } }
      return (await api.DELETE(ONE, { params })).data!.data.deletes
    },
  })

export const useDeleteBrand = (done: () => string, onSuccess: () => unknown) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: { path: { id } } }), {
    refresh: [BRANDS],
    isDeletion: true,
    done,
    onSuccess,
  })
