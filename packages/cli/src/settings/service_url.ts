import { usageFailure } from '../errors.ts'

/**
 * Removes a trailing `/api`.
 *
 * @throws Failure without the address, which may contain a password
 */
export function parseServiceUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw usageFailure(`${what} must be an http or https address`)
  }
  if (url.username || url.password) throw usageFailure(`${what} must not contain credentials`)
  if (url.search || url.hash) throw usageFailure(`${what} must not contain a query or fragment`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`
}

export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
