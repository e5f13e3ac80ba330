import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type Api, type BodyOf, api, ifMatch } from '@/api/client'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type Brand = components['schemas']['Brand']
/** A brand, with the tag that a write needs. */
export type TaggedBrand = Brand & { etag: string | null }

export type NewBrand = BodyOf<'platform.brands.store'>
export type BrandChanges = BodyOf<'platform.brands.update'>

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
  useDeletion([...BRANDS, id], (query) => api.DELETE(ONE, { params: { path: { id }, query } }))

export const useDeleteBrand = (done: () => string, onSuccess: () => unknown) =>
  useChange((target, id: number) => target.DELETE(ONE, { params: { path: { id } } }), {
    refresh: [BRANDS],
    isDeletion: true,
    done,
    onSuccess,
  })

/** A mail with the settings of a brand, to the person who asks for it. */
export const useBrandTest = () =>
  useChange(
    async (target, { id }: Pick<Brand, 'id'>) =>
      (await target.POST(`${ONE}/test`, { params: { path: { id } } })).data!.data,
    { refresh: [] }
  )
