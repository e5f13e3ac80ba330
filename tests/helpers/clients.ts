import { type ConciergeOptions, createConcierge } from '@concierge/client'
import env from '#start/env'
import { serviceUrl } from '#tests/helpers/send'

/** A client that records its requests. */
export function aClient(options: Partial<ConciergeOptions> = {}) {
  const sent: Request[] = []
  const concierge = createConcierge({
    url: serviceUrl(),
    internalKey: env.get('INTERNAL_API_KEY')!.split(',')[0],
    ...options,
    fetch: (input, init) => {
      const request = new Request(input, init)
      sent.push(request.clone())
      return (options.fetch ?? fetch)(request)
    },
  })
  return { concierge, sent }
}
