import docsConfig from '#config/docs'

const DOCS = '/docs'

/** Where the root leads browsers. */
export const START_PAGE = '/panel'

/** Paths of this service, as the root lists them. */
export interface ServiceLinks {
  /** The admin panel */
  panel: string
  /** The probe that says whether the service is ready */
  health: string
  /** The API reference for people; absent if it is switched off */
  docs?: string
  /** The OpenAPI description; absent if it is switched off */
  openapi?: string
}

export function serviceLinks(): ServiceLinks {
  const always = { panel: START_PAGE, health: '/api/health/ready' }
  return docsConfig.access === 'off'
    ? always
    : { ...always, docs: DOCS, openapi: '/api/openapi.json' }
}
