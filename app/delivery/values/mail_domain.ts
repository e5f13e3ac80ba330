import { getDomain } from 'tldts'

/**
 * The domain of an address without subdomains, of which its owner can make any number
 * (delivery.md#smtp-connections).
 */
export function mailDomainOf(address: string): string {
  const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return getDomain(host) ?? host
}
