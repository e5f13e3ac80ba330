import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An untrusted URL may point to the public internet only (conventions.md#reachable-addresses). */
export type UrlAuthor = 'operator' | 'untrusted'

/** No link-local addresses and no IPv6 ranges that embed IPv4 addresses. */
const OPERATOR_RANGES = new Set([
  'unicast',
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
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

/** `::/96` embeds IPv4 addresses. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number]

/** @param address An IP address as the socket reports it */
export function mayConnectTo(address: string, author: UrlAuthor): boolean {
  // A zone (`fd00::1%eth0`) would hide the address of a metadata service.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (METADATA.has(parsed.toString()) || !OPERATOR_RANGES.has(range)) return false
  if (range !== 'loopback' && isIpv4Compatible(parsed)) return false
  return author === 'operator' || range === 'unicast'
}

/** Whether connections to `address` are never allowed, so that it can be rejected when saved. */
export function isAlwaysRefused(address: string): boolean {
  if (address.includes('%')) return true
  const parsed = ipaddr.process(address)
  return parsed.range() === 'linkLocal' || METADATA.has(parsed.toString())
}

function isIpv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6) {
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).match(IPV4_COMPATIBLE)
}
