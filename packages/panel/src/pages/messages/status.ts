import type { useI18n } from 'vue-i18n'

type Translate = ReturnType<typeof useI18n>['t']

/** How the outcome of a message looks. */
export const TONES = {
  sent: 'success',
  failed: 'error',
  skipped: 'neutral',
  scheduled: 'info',
  pending: 'warning',
} as const

export interface Reason {
  code: string
  /** What else is known, such as what a server said. */
  text: string
}

/** Splits a status reason, which has one part for each channel that failed. */
export function reasonsOf(statusReason: string | null): Reason[] {
  if (statusReason === null) return []
  return statusReason.split(/; (?=[A-Z_]{6,}(?:: |; |$))/).map((part) => {
    const [, code = '', text = ''] = /^([A-Z_]+)(?:: (.*))?$/s.exec(part) ?? []
    return code === '' ? { code: '', text: part } : { code, text }
  })
}

/** Those that have a sentence. The service may know more. */
const KNOWN = [
  ...(['UNKNOWN_TYPE', 'NOTIFICATIONS_DISABLED', 'NO_CHANNEL', 'RECIPIENT_SUPPRESSED'] as const),
  ...(['SEND_AT', 'QUIET_HOURS', 'DIGEST', 'CANCELLED', 'RECIPIENT_ERASED'] as const),
  ...(['OUTSIDE_RECIPIENT', 'APPLICATION_NOT_FOUND', 'NO_TEMPLATE', 'UNKNOWN_TEMPLATE'] as const),
  ...(['MISSING_TEMPLATE_VARIABLES', 'RENDER_ERROR', 'SMTP_ERROR', 'PUSH_ERROR'] as const),
  ...(['BOUNCED', 'COMPLAINT'] as const),
]

/** A reason as a sentence; null for one that this version of the panel does not know. */
export function reasonText(t: Translate, code: string) {
  const known = KNOWN.find((one) => one === code)
  return known ? t(`messages.reason.${known}`) : null
}

/** A status reason in sentences, without what servers said unless there is nothing else. */
export const reasonTexts = (t: Translate, statusReason: string | null) =>
  reasonsOf(statusReason).map(
    ({ code, text }) => reasonText(t, code) ?? [code, text].filter(Boolean).join(': ')
  )
