import type { HttpRequest } from '@adonisjs/core/http'
import { CrossSite } from '#app/auth/session/exceptions'
import panelConfig from '#config/panel'

const SAFE_METHODS = ['GET', 'HEAD']

/**
 * A page of another origin can send neither the header, without a preflight that is never
 * answered, nor another `Sec-Fetch-Site` or `Origin` (panel.md#requests-with-the-cookie).
 * @throws CrossSite
 */
export function requireSameOrigin(request: HttpRequest) {
  if (request.header('x-concierge-panel') !== '1') {
    throw new CrossSite({ detail: 'The header X-Concierge-Panel must be 1' })
  }
  const site = request.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') {
    throw new CrossSite({ detail: 'The header Sec-Fetch-Site must be same-origin' })
  }
  const isSafe = SAFE_METHODS.includes(request.method())
  if (!isSafe && request.header('origin') !== panelConfig.origin) {
    throw new CrossSite({ detail: `The header Origin must be ${panelConfig.origin}` })
  }
}
