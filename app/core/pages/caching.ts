import docsConfig from '#config/docs'

const who = docsConfig.access === 'public' ? 'public' : 'private'

/** Cached, but revalidated on each use. */
export const DOCS_REVALIDATED = `${who}, no-cache`

/** Cached for a day. */
export const DOCS_KEPT = `${who}, max-age=86400`
