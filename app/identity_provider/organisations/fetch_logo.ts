import app from '@adonisjs/core/services/app'
import { outbound } from '#core/network/outbound'
import { OutboundError } from '#core/network/outbound_error'
import { LogoNotUsable } from '#app/identity_provider/exceptions'

/** The provider's own limits (identity-provider.md#logos). */
const MAX_BYTES = 512 * 1_024
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']

/** @throws LogoNotUsable with `details.reason` */
export async function fetchLogo(url: string): Promise<Blob> {
  const { status, headers, body } = await download(url)
  if (status !== 200) throw logoNotUsable('status')
  const type = String(headers['content-type'] ?? '')
    .split(';')[0]
    .trim()
    .toLowerCase()
  if (!IMAGE_TYPES.includes(type)) throw logoNotUsable('type')
  if (body.length === 0) throw logoNotUsable('empty')
  if (body.length > MAX_BYTES) throw logoNotUsable('too_large')
  return new Blob([new Uint8Array(body)], { type })
}

async function download(url: string) {
  try {
    return await outbound(url, { author: app.inProduction ? 'untrusted' : 'operator' })
  } catch (error) {
    if (error instanceof OutboundError) throw logoNotUsable(error.reason, error)
    throw error
  }
}

function logoNotUsable(reason: string, cause?: unknown) {
  return new LogoNotUsable({ details: { reason }, cause })
}
