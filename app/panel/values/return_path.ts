import panelConfig from '#config/panel'

export const PANEL_PATH = '/panel'
/** In the encoded form. Browsers that start many sign-ins keep a cookie for each. */
const MAX_LENGTH = 256

/** Where to go after signing in: a path below `/panel`, else its start page. */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return PANEL_PATH
  const url = URL.parse(wanted, panelConfig.origin)
  const isInside = url?.pathname === PANEL_PATH || url?.pathname.startsWith(`${PANEL_PATH}/`)
  if (url?.origin !== panelConfig.origin || !isInside) return PANEL_PATH
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.length > MAX_LENGTH ? PANEL_PATH : path
}
