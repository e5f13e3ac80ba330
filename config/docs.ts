import env from '#start/env'

export default {
  access: env.get('DOCS') ?? 'public',
}
