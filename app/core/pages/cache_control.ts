import docsConfig from '#config/docs'

const isPublic = docsConfig.access === 'public'

export const DOCS_REVALIDATED = isPublic ? 'public, no-cache' : 'no-store'

export const DOCS_CACHED = isPublic ? 'public, max-age=86400' : 'no-store'
