import type { TemplateVariable } from '#app/notifications/values/template_variable'
import type { AuthTemplateKey } from '#app/identity_provider/auth_templates/auth_templates'

export interface AuthTemplateFacts {
  name: string
  description: string
  variables: TemplateVariable[]
}

const OPTIONAL = [
  'url',
  'code',
  'title',
  'preHeader',
  'greeting',
  'text',
  'buttonText',
  'footerText',
  'firstName',
  'lastName',
  'displayName',
  'loginName',
  'preferredLoginName',
  'applicationName',
  'tempUsername',
  'domain',
  'origin',
]

/** Without a required variable, a message uses the provider's own texts. */
export const AUTH_TEMPLATE_FACTS: Record<AuthTemplateKey, AuthTemplateFacts> = {
  account_activation: facts('Account activation', 'A new account is to be activated', 'url code'),
  email_verification: facts(
    'E-mail verification',
    'An e-mail address is to be confirmed',
    'url code'
  ),
  password_reset: facts('Password reset', 'Someone forgot their password', 'url code'),
  user_invitation: facts('Invitation', 'Someone is invited', 'url code'),
  passwordless_registration: facts('Passkey', 'A passkey is to be added to an account', 'url'),
  otp_email: facts('Sign-in code', 'A one-time code to sign in with', 'code'),
  password_changed: facts('Password changed', 'A notice that the password was changed', ''),
  domain_claimed: facts(
    'Login name changed',
    'A notice that the login name changed because a domain was claimed',
    'tempUsername'
  ),
}

function facts(name: string, description: string, requiredNames: string): AuthTemplateFacts {
  const required = requiredNames.split(' ').filter(Boolean)
  const optional = OPTIONAL.filter((key) => !required.includes(key))
  return {
    name,
    description,
    variables: [
      ...required.map((key) => ({ key, required: true })),
      ...optional.map((key) => ({ key, required: false })),
    ],
  }
}
