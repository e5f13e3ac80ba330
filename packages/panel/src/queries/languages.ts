import type { components } from '@concierge/client'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, type BodyOf, api } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'
import { useDeletion } from '@/queries/use_deletion'

export type Language = components['schemas']['Language']
export type TypeCoverage = components['schemas']['TypeCoverage']

export type NewLanguage = BodyOf<'platform.languages.store'>

const LIST = '/api/admin/languages'
const ONE = `${LIST}/{code}` as const

export const LANGUAGES = ['languages']

export const createLanguage = (target: Api, body: NewLanguage): Promise<unknown> =>
  target.POST(LIST, { body })

export const updateLanguage = (
  target: Api,
  code: string,
  body: Omit<NewLanguage, 'code'>
): Promise<unknown> => target.PUT(ONE, { params: { path: { code } }, body })

/** What a deletion would take, or why there can be none. */
export const useLanguageDeletion = (code: string) =>
  useDeletion([...LANGUAGES, code], (query) =>
    api.DELETE(ONE, { params: { path: { code }, query } })
  )

export const useDeleteLanguage = (done: () => string, onSuccess: () => unknown) =>
  useChange((target, code: string) => target.DELETE(ONE, { params: { path: { code } } }), {
    refresh: [LANGUAGES],
    isDeletion: true,
    done,
    onSuccess,
  })

/** In how many templates of each notification type a language is. @param appCode `''` for all */
export function useCoverage(appCode: MaybeRefOrGetter<string>) {
  const key = computed(() => [...LANGUAGES, 'coverage', toValue(appCode)])
  return usePagedQuery<TypeCoverage>(key, (page, signal) => {
    const query = { ...page, appCode: toValue(appCode) || undefined }
    return api.GET(`${LIST}/coverage`, { params: { query }, signal })
  })
}

conciergeCommand('POST', '/api/admin/languages', (_, { code, name, fallback, enabled }) => [
  'languages',
  'create',
  String(code),
  ...option('name', name),
  ...option('fallback', fallback),
  ...(enabled === false ? ['--enabled', 'false'] : []),
])
