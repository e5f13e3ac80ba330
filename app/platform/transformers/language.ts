import type Language from '#app/platform/models/language'

/** See platform.md#language-fields. */
export function languageResource({ code, name, fallback, enabled }: Language) {
  return { code, name, fallback, enabled }
}
