import type Language from '#app/platform/models/language'

export function languageResource({ code, name, fallback, enabled }: Language) {
  return { code, name, fallback, enabled }
}
