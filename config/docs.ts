import env from '#start/env'

export default {
  /** Who can read the API reference and the OpenAPI description. */
  access: env.get('DOCS') ?? 'public',
}
