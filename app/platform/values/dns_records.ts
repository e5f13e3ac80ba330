import type { DkimRecord } from '#app/platform/values/dkim_record'

export interface DnsRecord {
  kind: 'dkim' | 'spf' | 'dmarc'
  name: string
  /** Null if it must allow the platform's SMTP account, and `SMTP_SPF` is not set */
  value: string | null
}

interface BrandSender {
  emailFrom: string | null
  smtp: { host: string } | null
  dkimRecord: DkimRecord | null
}

interface PlatformSender {
  spf: string | null
  bounceAddress: { domain: string } | null
}

/**
 * The TXT records with which receivers tell the mails of a brand from forged ones
 * (platform.md#dns-records-of-a-brand).
 */
export function dnsRecordsOf(
  { emailFrom, smtp, dkimRecord }: BrandSender,
  platform: PlatformSender
): DnsRecord[] {
  const records: DnsRecord[] = dkimRecord ? [{ kind: 'dkim', ...dkimRecord }] : []
  const domain = emailFrom?.split('@').at(-1)
  if (domain === undefined) return records
  // Receivers check the domain of the envelope sender.
  const name = smtp ? domain : (platform.bounceAddress?.domain ?? domain)
  const servers = smtp ? serverAt(smtp.host) : platform.spf
  return [
    ...records,
    { kind: 'spf', name, value: servers && `v=spf1 ${servers} ~all` },
    {
      kind: 'dmarc',
      name: `_dmarc.${domain}`,
      value: `v=DMARC1; p=none; rua=mailto:postmaster@${domain}`,
    },
  ]
}

function serverAt(host: string) {
  if (host.includes(':')) return `ip6:${host}`
  return /^[\d.]+$/.test(host) ? `ip4:${host}` : `a:${host}`
}
