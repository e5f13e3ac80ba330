import docsConfig from '#config/docs'

const isPublic = docsConfig.access === 'public'

/** Cached, but revalidated on each use. */
export const DOCS_REVALIDATED = isPublic ? 'public, no-cache' : 'no-store'

/** Cached for a day. */
export const DOCS_KEPT = isPublic ? 'public, max-age=86400' : 'no-store'
