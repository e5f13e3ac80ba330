import Brand from '#app/platform/models/brand'
import Language from '#app/platform/models/language'
import { THEMES, type Theme } from '#app/profiles/values/theme'

/** What users can choose in their profile. */
export interface ProfileOptions {
  locales: { code: string; name: string }[]
  brands: { slug: string; name: string }[]
  themes: readonly Theme[]
}

/** Languages are those that are enabled. */
export async function listOptions(): Promise<ProfileOptions> {
  const [languages, brands] = await Promise.all([
    Language.query().where('enabled', true).orderBy('id'),
    Brand.query().select('slug', 'name').orderBy('id'),
  ])
  return {
    locales: languages.map(({ code, name }) => ({ code, name })),
    brands: brands.map(({ slug, name }) => ({ slug, name })),
    themes: THEMES,
  }
}
