import platformConfig from '#config/platform'

/** Languages that the service itself falls back to. */
export const REQUIRED_LANGUAGES = new Set(['en', platformConfig.systemLanguage])
