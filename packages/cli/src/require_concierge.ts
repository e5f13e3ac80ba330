import type { Concierge } from '@concierge/client'
import { notConcierge } from './errors.ts'

type Middleware = Parameters<Concierge['api']['use']>[0]

const USUAL_TYPES = ['application/json', 'text/event-stream']

/**
 * Another server, such as a proxy that shows its sign-in page, also reports success, and an empty
 * export would look complete. @throws Failure
 */
export const requireConcierge: Middleware = {
  onResponse({ request, response }) {
    const { ok, status, headers } = response
    if (!ok || (status === 204 && request.method !== 'GET')) return
    const accepted = request.headers.get('accept')
    const types = accepted === null ? USUAL_TYPES : [accepted]
    const [type = ''] = (headers.get('content-type') ?? '').split(';', 1)
    if (!types.includes(type.trim().toLowerCase())) throw notConcierge(`is not ${types[0]}`)
  },
}
