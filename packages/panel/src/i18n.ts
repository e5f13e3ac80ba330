import { createI18n } from 'vue-i18n'
import type en from './locales/en'
import enShell from './locales/en/shell'

export const LANGUAGES = { en: 'English', cs: 'Čeština' } as const
export type Language = keyof typeof LANGUAGES

type Texts = typeof en
type Section = Exclude<keyof Texts, keyof typeof enShell>

declare module 'vue-i18n' {
  // Keys are typed from the English texts, so a missing one fails the type check.
  export interface DefineLocaleMessage extends Texts {}
}
declare module 'vue-router' {
  interface RouteMeta {
    /** The sections of texts that the page needs. */
    texts?: Section[]
  }
}

const KEY = 'concierge-language'
const FILES = import.meta.glob<Texts[Section]>(
  ['./locales/*/*.json', '!./locales/*/{common,frame,problem,rule,user}.json'],
  { import: 'default' }
)
const SHELLS = {
  en: () => Promise.resolve(enShell),
  cs: async () => (await import('./locales/cs/shell')).default,
}
const FORMS = { one: 0, few: 1, many: 2, other: 2 }

/** The forms of a Czech text are one, few and other. With four, the first is for zero. */
function czechForm(count: number, forms: number): number {
  if (forms > 3 && count === 0) return 0
  const form = FORMS[new Intl.PluralRules('cs').select(count) as keyof typeof FORMS]
  return forms > 3 ? form + 1 : form
}

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  // The sections come later, but before the pages that need them.
  messages: { en: enShell } as unknown as { en: Texts; cs?: Texts },
  pluralRules: { cs: czechForm },
})

/** What is on the pages so far, and until when it is loaded. */
const loaded = new Map<Section, Promise<void>>()

async function load(language: Language, sections: Iterable<Section>) {
  const texts = await Promise.all(
    [...sections].map(async (section) => [
      section,
      await FILES[`./locales/${language}/${section}.json`]!(),
    ])
  )
  i18n.global.mergeLocaleMessage(language, Object.fromEntries(texts) as Partial<Texts>)
}

/** Loads the texts of a page, once. */
export async function loadTexts(sections: Section[]) {
  const missing = sections.filter((section) => !loaded.has(section))
  if (missing.length > 0) {
    const loading = load(i18n.global.locale.value as Language, missing)
    for (const section of missing) loaded.set(section, loading)
    // What could not be loaded is asked for again.
    loading.catch(() => missing.forEach((section) => loaded.delete(section)))
  }
  await Promise.all(sections.map((section) => loaded.get(section)))
}

/** Loads the texts of a language and shows them. */
export async function setLanguage(language: Language) {
  const { global } = i18n
  if (!global.availableLocales.includes(language)) {
    global.setLocaleMessage(language, (await SHELLS[language]()) as unknown as Texts)
  }
  await load(language, loaded.keys())
  global.locale.value = language
  document.documentElement.lang = language
  localStorage.setItem(KEY, language)
}

export const initialLanguage = (): Language =>
  document.documentElement.lang === 'cs' ? 'cs' : 'en'
