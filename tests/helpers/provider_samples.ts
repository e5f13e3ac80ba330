/** Sample messages of the provider (zitadel.md#sample-message). */
import { randomUUID } from 'node:crypto'

export interface Sample {
  contextInfo: { eventType?: unknown; recipientEmailAddress?: unknown; [key: string]: unknown }
  templateData?: Record<string, unknown> | null
  args?: Record<string, unknown> | null
  [key: string]: unknown
}

const PROVIDER = { id: '298374650192837465', description: 'branded-mail' }
const COLORS = { primaryColor: '#5469d4', backgroundColor: '#fafafa', fontColor: '#000000' }

/** Queue mode, an escaped name, no logo. */
export const activation = (): Sample => ({
  contextInfo: {
    eventType: 'user.human.initialization.code.added',
    provider: PROVIDER,
    recipientEmailAddress: 'sinead@northwind.example',
  },
  templateData: {
    title: 'Activate your account',
    preHeader: 'Activate your account',
    subject: 'Welcome, Sinéad O&#39;Neil',
    greeting: 'Hello Sinéad O&#39;Neil,',
    text: 'An account was created for you. Use the button below, or enter the code 7XK2PD.',
    url: 'https://id.example.com/ui/login/user/init?userID=301122334455667788&loginname=sinead@northwind.example&code=7XK2PD&orgID=300000000000000001&passwordset=false&authRequestID=',
    buttonText: 'Activate',
    ...COLORS,
    fontFamily: '-apple-system, BlinkMacSystemFont, Segoe UI, Lato, Arial',
    footerText: 'InitCode.Footer',
  },
  args: {
    applicationName: '',
    authRequestID: '',
    changeDate: '2026-03-02T08:15:30.123456Z',
    code: '7XK2PD',
    codeID: '',
    creationDate: '2026-03-02T08:15:30.123456Z',
    displayName: 'Sinéad O&#39;Neil',
    domain: '',
    expiry: 0,
    firstName: 'Sinéad',
    lastEmail: 'sinead@northwind.example',
    lastName: 'O&#39;Neil',
    lastPhone: '',
    loginName: 'sinead@northwind.example',
    loginNames: ['sinead@northwind.example'],
    nickName: '',
    orgID: '300000000000000001',
    origin: '',
    preferredLoginName: 'sinead@northwind.example',
    sessionID: '',
    tempUsername: '',
    userID: '301122334455667788',
    userName: 'sinead@northwind.example',
    verifiedEmail: '',
    verifiedPhone: '',
  },
})

/** Legacy mode, German texts, full branding and footer. */
export const passwordReset = (): Sample => ({
  contextInfo: {
    eventType: 'user.human.password.code.added',
    provider: PROVIDER,
    recipientEmailAddress: 'j.mueller@contoso.example',
  },
  templateData: {
    title: 'Passwort zurücksetzen',
    preHeader: 'Passwort zurücksetzen',
    subject: 'Passwort zurücksetzen',
    greeting: 'Guten Tag Jörg Müller,',
    text: 'Wir haben eine Anfrage zum Zurücksetzen Ihres Passworts erhalten. Ihr Code lautet Q4MN8Z.',
    url: 'https://id.example.com/ui/v2/login/password/set?code=Q4MN8Z&userId=301122334455667799&organization=300000000000000002',
    buttonText: 'Passwort zurücksetzen',
    primaryColor: '#b00020',
    backgroundColor: '#ffffff',
    fontColor: '#222222',
    logoUrl: 'https://id.example.com/assets/v1/300000000000000002/policy/label/logo-0a1b2c',
    includeFooter: true,
    footerText: 'Contoso GmbH, Musterstraße 1, 10115 Berlin',
  },
  args: {
    changeDate: '2026-03-02T09:00:00+01:00',
    code: 'Q4MN8Z',
    creationDate: '2025-11-20T14:03:11.5+01:00',
    displayName: 'Jörg Müller',
    firstName: 'Jörg',
    lastEmail: 'j.mueller@contoso.example',
    lastName: 'Müller',
    loginNames: ['j.mueller@contoso.example', 'j.mueller@contoso.id.example.com'],
    orgID: '300000000000000002',
    userID: '301122334455667799',
  },
})

export const invitation = (): Sample => ({
  contextInfo: {
    eventType: 'user.human.invite.code.added',
    provider: PROVIDER,
    recipientEmailAddress: 'new.hire@contoso.example',
  },
  templateData: {
    title: 'Invitation to Fieldbook',
    preHeader: 'Invitation to Fieldbook',
    subject: 'Invitation to Fieldbook',
    greeting: 'Hello New Hire,',
    text: 'You have been invited to Fieldbook. Accept with the button below (code H2J9WE).',
    url: 'https://id.example.com/ui/v2/login/verify?code=H2J9WE&userId=301122334455660011&organization=300000000000000002&invite=true',
    buttonText: 'Accept invitation',
    ...COLORS,
    footerText: 'InviteUser.Footer',
  },
  args: {
    applicationName: 'Fieldbook',
    code: 'H2J9WE',
    codeID: '',
    displayName: 'New Hire',
    expiry: 0,
    firstName: 'New',
    lastName: 'Hire',
    loginNames: ['new.hire@contoso.example'],
    orgID: '300000000000000002',
    userID: '301122334455660011',
  },
})

/** Legacy mode: `oTP` only, no organisation in the link. */
export const loginCode = (): Sample => ({
  contextInfo: {
    eventType: 'session.otp.email.challenged',
    provider: PROVIDER,
    recipientEmailAddress: 'ada@acme.example',
  },
  templateData: {
    title: 'Your login code',
    preHeader: 'Your login code',
    subject: 'Your login code',
    greeting: 'Hello Ada Lovelace,',
    text: 'Use 48151623 to finish signing in. It is valid for 5m0s.',
    url: 'https://id.example.com/ui/v2/login/otp/email?code=48151623&userId=301122334455661111&sessionId=V1_311111111111111111',
    buttonText: 'Sign in',
    ...COLORS,
    footerText: 'VerifyEmailOTP.Footer',
  },
  args: {
    displayName: 'Ada Lovelace',
    domain: 'id.example.com',
    expiry: 300000000000,
    firstName: 'Ada',
    lastName: 'Lovelace',
    loginNames: ['ada@acme.example'],
    oTP: '48151623',
    orgID: '300000000000000003',
    origin: 'https://id.example.com',
    userID: '301122334455661111',
  },
})

/** Old version: no code, no ids, no organisation in the link. */
export const passwordChanged = (): Sample => ({
  contextInfo: {
    eventType: 'user.human.password.changed',
    provider: PROVIDER,
    recipientEmailAddress: 'ada@acme.example',
  },
  templateData: {
    title: 'Password changed',
    preHeader: 'Password changed',
    subject: 'Password changed',
    greeting: 'Hello Ada Lovelace,',
    text: 'Your password was changed. If this was not you, reset it at once.',
    url: 'https://id.example.com/ui/console?login_hint=ada@acme.example',
    buttonText: 'Sign in',
    ...COLORS,
    footerText: 'PasswordChange.Footer',
  },
  args: {
    changeDate: '2026-03-03T07:30:00.75+02:00',
    displayName: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    loginNames: ['ada@acme.example'],
  },
})

export const uniqueSecret = (name = 'CODE') => `${name}${randomUUID().replaceAll('-', '')}`
