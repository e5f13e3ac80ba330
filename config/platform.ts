import env from '#start/env'

export default {
  defaultBrand: env.get('DEFAULT_BRAND') ?? 'default',
  systemLanguage: 'en',
}
