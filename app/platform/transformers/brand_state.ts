import { createHash } from 'node:crypto'
import type { AuditState } from '#core/audit/change'
import type Brand from '#app/platform/models/brand'
import { brandResource } from '#app/platform/transformers/brand_resource'

/** For the audit trail, which shows that a secret changed, but not the secret. */
export function brandState(brand: Brand): AuditState {
  const { dnsRecords, ...stored } = brandResource(brand)
  return {
    ...stored,
    smtpPassword: version(brand.smtp?.password),
    dkimPrivateKey: version(brand.dkim?.privateKey),
  }
}

/** Of an encrypted value, which differs each time. */
function version(encrypted: string | null | undefined) {
  if (!encrypted) return null
  return { version: createHash('sha256').update(encrypted).digest('hex').slice(0, 12) }
}
