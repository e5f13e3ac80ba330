import { defineConfig } from '@adonisjs/core/http'
import env from '#start/env'
import { rejectMalformedUrl } from '#core/exceptions/reject_malformed_url'
import httpLimits from '#config/http_limits'
import { isTrustedProxy } from '#core/network/client_address'

/** The framework requires this export. */
export const appKey = env.get('APP_KEY')

export const appUrl = env.get('APP_URL') ?? `http://${env.get('HOST')}:${env.get('PORT')}`

export const http = defineConfig({
  trustProxy: isTrustedProxy,
  // The logger adds the request id.
  useAsyncLocalStorage: true,
  onBadUrl: rejectMalformedUrl,
  // Bodies are plain data. The default also looks for cycles, at the cost of a percent of a check.
  serializeJSON: (body: unknown) => JSON.stringify(body),
  // Names with brackets are refused before they are parsed.
  qs: {
    parse: { depth: 0, parameterLimit: httpLimits.url.parameters, arrayLimit: 20, comma: true },
    stringify: {},
  },
  cookie: { path: '/', httpOnly: true, secure: appUrl.startsWith('https:'), sameSite: 'lax' },
})
