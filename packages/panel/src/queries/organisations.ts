import type { components } from '@concierge/client'
import { useQuery } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, type BodyOf, api } from '@/api/client'
import { PROVIDER } from '@/queries/provider'

type Schemas = components['schemas']

export type Organisation = Schemas['Organisation']
export type Appearance = Schemas['IdentityProviderAppearance']

const LIST = '/api/idp/admin/orgs'
const BRANDING = `${LIST}/{orgId}/branding` as const

export const ORGANISATIONS = [...PROVIDER, 'organisations']
const brandingKey = (orgId: string) => [...ORGANISATIONS, orgId, 'branding']

/** All of them. The service asks the provider, for which it needs its account. */
export const useOrganisations = (enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: ORGANISATIONS,
    enabled: computed(() => toValue(enabled)),
    retry: false,
    queryFn: async ({ signal }) => (await api.GET(LIST, { signal })).data!.data,
  })

/** Which application belongs to which organisation. */
export const useMappedApplications = () =>
  useQuery({
    queryKey: [...PROVIDER, 'applications'],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/idp/admin/applications', { signal })).data!.data,
  })

/** What people see when they sign in. */
export const useBranding = (orgId: string, enabled: MaybeRefOrGetter<boolean>) =>
  useQuery({
    queryKey: brandingKey(orgId),
    enabled: computed(() => toValue(enabled)),
    retry: false,
    async queryFn({ signal }): Promise<Appearance> {
      const params = { path: { orgId } }
      return (await api.GET(BRANDING, { params, signal })).data!.data
    },
  })

export const createOrganisation = async (
  target: Api,
  body: BodyOf<'identity_provider_admin.organisations.store'>
) => (await target.POST(LIST, { body })).data?.data

export const saveBranding = (
  target: Api,
  orgId: string,
  body: BodyOf<'identity_provider_admin.organisations.brand'>
) => target.PUT(BRANDING, { params: { path: { orgId } }, body })

export const setUpApplication = (
  target: Api,
  orgId: string,
  body: BodyOf<'identity_provider_admin.organisations.setup'>
) => target.POST(`${LIST}/{orgId}/setup`, { params: { path: { orgId } }, body })
