import { toNumber } from '@/forms/field_values'
import type { Brand, BrandChanges } from '@/queries/brands'

export type Tls = 'required' | 'opportunistic' | 'none'

/** What is in the fields of a brand's mail settings. */
export const fieldsOf = ({ emailFrom, replyTo, smtp, dkim }: Brand) => ({
  emailFrom: emailFrom ?? '',
  replyTo: replyTo ?? '',
  hasSmtp: smtp !== null,
  smtp: {
    host: smtp?.host ?? '',
    port: smtp ? String(smtp.port) : '587',
    secure: smtp?.secure ?? false,
    user: smtp?.user ?? '',
    tls: (smtp?.tls ?? 'required') as Tls,
  },
  /** Empty: the stored one stays. */
  password: '',
  hasDkim: dkim !== null,
  dkim: { domain: dkim?.domain ?? '', selector: dkim?.selector ?? '' },
  /** Empty: the stored one stays. */
  privateKey: '',
})

export type MailValues = ReturnType<typeof fieldsOf>

export const bodyOf = (values: MailValues): BrandChanges => ({
  emailFrom: values.emailFrom || null,
  replyTo: values.replyTo || null,
  smtp: values.hasSmtp ? smtpOf(values) : null,
  dkim: values.hasDkim
    ? { ...values.dkim, ...(values.privateKey && { privateKey: values.privateKey }) }
    : null,
})

function smtpOf({ smtp: { host, port, secure, user, tls }, password }: MailValues) {
  return {
    host,
    port: toNumber(port),
    secure,
    tls,
    user: user || null,
    // Without an account there is no password.
    ...(user === '' ? { password: null } : password && { password }),
  }
}
