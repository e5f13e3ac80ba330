import type { IncomingHttpHeaders } from 'node:http'

/** The specification's name, then what the provider really sends and what its reference calls it (decisions 5.8). */
const NAMES = ['idp-signature', 'zitadel-signature', 'x-zitadel-signature']

/** What the signature header of a request says, under whichever of its names it comes; undefined without one. */
export function signatureHeader(headers: IncomingHttpHeaders): string | undefined {
  const name = NAMES.find((candidate) => headers[candidate] !== undefined)
  return name === undefined ? undefined : String(headers[name])
}
