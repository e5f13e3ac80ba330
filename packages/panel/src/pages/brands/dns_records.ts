import type { Brand } from '@/queries/brands'

export interface DnsRecord {
  kind: 'dkim' | 'spf' | 'dmarc'
  name: string
  value: string
}

/** The TXT records that receivers look up to tell the mails of a brand from forged ones. */
export function dnsRecordsOf({ emailFrom, smtp, dkim }: Brand): DnsRecord[] {
  const domain = domainOf(emailFrom)
  const records: DnsRecord[] = []
  if (dkim?.dnsRecord) records.push({ kind: 'dkim', ...dkim.dnsRecord })
  if (domain === null) return records
  if (smtp) records.push({ kind: 'spf', name: domain, value: `v=spf1 ${sourceOf(smtp.host)} ~all` })
  const value = `v=DMARC1; p=none; rua=mailto:postmaster@${domain}`
  return [...records, { kind: 'dmarc', name: `_dmarc.${domain}`, value }]
}

/** Whose SPF record must allow the platform's server, whose name the panel does not know. */
export const domainSentByPlatform = ({ emailFrom, smtp }: Brand) =>
  smtp === null ? domainOf(emailFrom) : null

const domainOf = (email: string | null) => email?.split('@').at(-1) ?? null

function sourceOf(host: string) {
  if (host.includes(':')) return `ip6:${host}`
  return /^[\d.]+$/.test(host) ? `ip4:${host}` : `a:${host}`
}
