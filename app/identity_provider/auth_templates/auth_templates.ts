/** The notification type of the provider's mails (identity-provider.md#type-of-system-mails). */
export const AUTH_TYPE = 'auth_idp'

/** Fixed: nobody can change them. */
export const AUTH_TYPE_SWITCHES = {
  emailEnabled: true,
  pushEnabled: false,
  userCanDisable: false,
  selfServiceEnabled: false,
  system: true,
} as const

export const AUTH_TEMPLATES = [
  'account_activation',
  'email_verification',
  'password_reset',
  'user_invitation',
  'passwordless_registration',
  'otp_email',
  'password_changed',
  'domain_claimed',
] as const

export type AuthTemplateKey = (typeof AUTH_TEMPLATES)[number]

const BY_EVENT = new Map<string, AuthTemplateKey>([
  ['user.human.initialization.code.added', 'account_activation'],
  ['user.human.email.code.added', 'email_verification'],
  ['user.human.password.code.added', 'password_reset'],
  ['user.human.invite.code.added', 'user_invitation'],
  ['user.human.passwordless.initialization.code.requested', 'passwordless_registration'],
  ['user.human.mfa.otp.email.code.added', 'otp_email'],
  ['session.otp.email.challenged', 'otp_email'],
  ['user.human.password.changed', 'password_changed'],
  ['user.domain.claimed', 'domain_claimed'],
  // Legacy event names (zitadel.md#message-events).
  ['user.initialization.code.added', 'account_activation'],
  ['user.email.code.added', 'email_verification'],
  ['user.password.code.added', 'password_reset'],
])

export const templateOfEvent = (eventType: string) => BY_EVENT.get(eventType) ?? null
