import type { AuthEmail, AuthEmailFrame } from '#resources/auth_emails/auth_email'

export const frame: AuthEmailFrame = {
  greeting: 'Hello {{userName}},',
  link: 'If the button does not work, copy this link into your browser:',
}

const NOT_YOU = 'If you did not request this, you can safely ignore this e-mail.'
const KEEP_SECRET = 'Do not share this code with anyone. {{orgName}} will never ask you for it.'

export const emails: Record<string, AuthEmail> = {
  account_activation: {
    subject: 'Activate your account',
    preview: 'One last step: confirm your e-mail address and choose how you sign in.',
    title: 'Activate your account',
    paragraphs: [
      'An account for {{userEmail}} was created at {{orgName}}. Use the button below to activate it and choose how you sign in.',
    ],
    action: 'Activate account',
    code: 'If you are asked for a code, use this one:',
    closing: [NOT_YOU],
  },
  email_verification: {
    subject: 'Confirm your e-mail address',
    preview: 'Confirm that this address belongs to you.',
    title: 'Confirm your e-mail address',
    paragraphs: ['Please confirm that the address {{userEmail}} belongs to you.'],
    action: 'Confirm address',
    code: 'Or enter this verification code:',
    closing: [NOT_YOU],
  },
  password_reset: {
    subject: 'Reset your password',
    preview: 'Choose a new password for your account.',
    title: 'Reset your password',
    paragraphs: [
      'We received a request to reset the password of your account at {{orgName}}. Use the button below to choose a new one.',
    ],
    action: 'Choose a new password',
    code: 'If you are asked for a code, use this one:',
    closing: [
      'If you did not request this, you can safely ignore this e-mail. Your password will not change.',
      KEEP_SECRET,
    ],
  },
  user_invitation: {
    subject: 'You are invited to {{orgName}}',
    preview: 'Accept the invitation and choose how you sign in.',
    title: 'You are invited',
    paragraphs: [
      'You are invited to join {{orgName}}. Use the button below to accept the invitation and choose how you sign in.',
    ],
    action: 'Accept invitation',
    code: 'If you are asked for a code, use this one:',
    closing: ['If you did not expect this invitation, you can safely ignore this e-mail.'],
  },
  passwordless_registration: {
    subject: 'Add a passkey',
    preview: 'Sign in without a password, using your fingerprint, face or screen lock.',
    title: 'Sign in without a password',
    paragraphs: [
      'You can add a passkey to your account at {{orgName}}. You can then sign in with your fingerprint, your face or the screen lock of your device.',
      'Open the link on the device you want to use the passkey on.',
    ],
    action: 'Add a passkey',
    closing: ['If you did not request this, ignore this e-mail and do not share the link.'],
  },
  otp_email: {
    subject: 'Your sign-in code',
    preview: 'A one-time code to finish signing in.',
    title: 'Your sign-in code',
    paragraphs: [],
    code: 'Enter this one-time code to finish signing in to {{orgName}}. It expires in a few minutes.',
    closing: [
      KEEP_SECRET,
      'If you are not signing in right now, someone may know your password. Please change it as soon as possible.',
    ],
  },
  password_changed: {
    subject: 'Your password was changed',
    preview: 'If you did not change it, act immediately.',
    title: 'Your password was changed',
    paragraphs: [
      'The password of the account {{userEmail}} at {{orgName}} has just been changed. If this was you, you do not need to do anything.',
      '<strong>If this was not you,</strong> reset it immediately with “Forgot password” on the sign-in page, and let us know.',
    ],
    closing: ['We send this e-mail for your security. You cannot turn it off.'],
  },
  domain_claimed: {
    subject: 'Your login name has changed',
    preview: 'Another organisation now manages the domain of your address.',
    title: 'Your new login name',
    paragraphs: [
      'Another organisation now manages the domain of your e-mail address, so your previous login name no longer works. For now, sign in with this name:',
      '<strong>{{tempUsername}}</strong>',
      'You can choose a new one after you sign in.',
    ],
    closing: [
      'If you did not expect this change, please contact the administrators of {{orgName}}.',
    ],
  },
}
