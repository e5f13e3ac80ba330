import type Language from '#app/platform/models/language'

/** Decisions 4.8. */
export function languageResource({ code, name, fallback, enabled }: Language) {
  return { code, name, fallback, enabled }
}
