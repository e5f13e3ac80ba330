import docsConfig from '#config/docs'

const DOCS = '/docs'

/** Where the root leads browsers; null if there is no page that everybody can open. */
export const START_PAGE = docsConfig.access === 'public' ? DOCS : null

/** Paths of this service, as the root lists them. */
export interface ServiceLinks {
  /** The probe that says whether the service is ready */
  health: string
  /** The API reference for people; absent if it is switched off */
  docs?: string
  /** The OpenAPI description; absent if it is switched off */
  openapi?: string
}

export function serviceLinks(): ServiceLinks {
  const health = '/api/health/ready'
  return docsConfig.access === 'off'
    ? { health }
    : { health, docs: DOCS, openapi: '/api/openapi.json' }
}
