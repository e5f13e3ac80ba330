import env from '#start/env'

export default {
  /** Who may read the API reference and the description: anybody, the private network, or nobody. */
  access: env.get('DOCS') ?? 'public',
}
