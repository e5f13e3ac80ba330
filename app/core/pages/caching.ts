import docsConfig from '#config/docs'

const who = docsConfig.access === 'public' ? 'public' : 'private'

/** Kept by caches that ask each time whether it has changed. */
export const DOCS_REVALIDATED = `${who}, no-cache`

/** Kept for a day. */
export const DOCS_KEPT = `${who}, max-age=86400`
