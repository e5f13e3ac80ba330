import type { IncomingHttpHeaders } from 'node:http'
import { SIGNATURE_HEADERS } from '#core/network/credentials'

export function signatureHeader(headers: IncomingHttpHeaders): string | undefined {
  const name = SIGNATURE_HEADERS.find((candidate) => headers[candidate] !== undefined)
  return name === undefined ? undefined : String(headers[name])
}
