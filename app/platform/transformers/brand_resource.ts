import mailConfig from '#config/mail'
import { isoTimestamp } from '#core/values/iso_timestamp'
import type Brand from '#app/platform/models/brand'
import { PLAIN_APPEARANCE } from '#app/platform/values/appearance'
import { dkimRecord } from '#app/platform/values/dkim_record'
import { dnsRecordsOf } from '#app/platform/values/dns_records'
import { type StoredDkim, type StoredSmtp, tlsOf } from '#app/platform/values/brand_mail'

export function brandResource(brand: Brand) {
  return {
    id: brand.id,
    slug: brand.slug,
    name: brand.name,
    idpOrgId: brand.idpOrgId,
    isDefault: brand.isDefault,
    emailFrom: brand.emailFrom,
    emailFromName: brand.emailFromName,
    replyTo: brand.replyTo,
    smtp: brand.smtp && smtpResource(brand.smtp),
    dkim: brand.dkim && dkimResource(brand.dkim),
    /** What the domain of the sender must publish */
    dnsRecords: dnsRecordsOf(
      {
        emailFrom: brand.emailFrom,
        smtp: brand.smtp,
        dkimRecord: brand.dkim && dkimRecord(brand.dkim),
      },
      mailConfig
    ),
    appearance: { ...PLAIN_APPEARANCE, ...brand.appearance },
    createdAt: isoTimestamp(brand.createdAt),
    updatedAt: isoTimestamp(brand.updatedAt),
  }
}

function smtpResource(smtp: StoredSmtp) {
  const { host, port, secure, user, password } = smtp
  return { host, port, secure, user, hasPassword: password !== null, tls: tlsOf(smtp) }
}

function dkimResource(dkim: StoredDkim) {
  const { domain, selector, privateKey } = dkim
  const hasPrivateKey = privateKey !== null
  return { domain, selector, hasPrivateKey, dnsRecord: dkimRecord(dkim) }
}
