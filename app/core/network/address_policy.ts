import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Who chose the URL of an outgoing request: the operator (in the settings) may point anywhere but at link-local and
 * metadata addresses; a `stranger` only at the public internet.
 */
export type UrlAuthor = 'operator' | 'stranger'

/** Refused whoever chose the URL: nothing legitimate listens there, cloud credentials do. */
const NEVER = new Set([
  'linkLocal',
  'unspecified',
  'multicast',
  'broadcast',
  'reserved',
  'benchmarking',
  'amt',
  'as112',
  'as112v6',
  'deprecated',
  'orchid2',
  'droneRemoteIdProtocolEntityTags',
  'discard',
  'rfc6145',
  'rfc6052',
  '6to4',
  'teredo',
])

/** Metadata services outside the link-local range. */
const METADATA = new Set([
  'fd00:ec2::254', // AWS
  'fd20:ce::254', // Google Cloud
  'fd00:c1::a9fe:a9fe', // Oracle Cloud
  '192.0.0.192', // Oracle Cloud
  'fd00:42::42', // Scaleway
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure
])

/** `::/96`, IPv4-compatible addresses: an IPv4 address in disguise. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number]

/** Whether a request on behalf of `author` may connect to `address`, an IP address as the socket reports it. */
export function mayConnectTo(address: string, author: UrlAuthor): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  if (METADATA.has(parsed.toString()) || NEVER.has(parsed.range())) return false
  const isLoopback = parsed.range() === 'loopback'
  if (!isLoopback && parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).match(IPV4_COMPATIBLE)) {
    return false
  }
  return author === 'operator' || parsed.range() === 'unicast'
}
