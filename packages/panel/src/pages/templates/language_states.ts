import { computed } from 'vue'
import { useApplication, useLanguages } from '@/queries/applications'
import type { TemplateVersion } from '@/queries/template_versions'

export interface LanguageState {
  locale: string
  name: string
  /** `outdated`: the text of the first language has changed since. */
  state: 'current' | 'outdated' | 'missing'
  /** Name of the first language. */
  source: string
}

/** Names of languages by their codes, as the platform has them. */
export function useLanguageNames() {
  const languages = useLanguages()
  return (locale: string) =>
    languages.data.value?.find(({ code }) => code === locale)?.name ?? locale
}

/**
 * The languages of a template: first those that it has, then those that the application wants.
 * Undefined until they are known.
 */
export function useLanguageStates(appCode: string, versions: () => TemplateVersion[]) {
  const languages = useLanguages()
  const nameOf = useLanguageNames()
  const application = useApplication(appCode)
  return computed((): LanguageState[] | undefined => {
    if (!languages.data.value || !application.data.value) return undefined
    const enabled = languages.data.value.filter((one) => one.enabled).map(({ code }) => code)
    const { supportedLanguages } = application.data.value
    const wanted = supportedLanguages.length > 0 ? supportedLanguages : enabled
    const stored = versions().toSorted((one, other) => one.id - other.id)
    const source = stored[0]
    return [...new Set([...stored.map(({ locale }) => locale), ...wanted])].map((locale) => {
      const version = stored.find((one) => one.locale === locale)
      const isOutdated = version && source && version.updatedAt < source.updatedAt
      return {
        locale,
        name: nameOf(locale),
        state: version ? (isOutdated ? 'outdated' : 'current') : 'missing',
        source: source ? nameOf(source.locale) : '',
      }
    })
  })
}
