import { transaction } from '#core/database/transaction'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import type { Body, BodyInScene, SectionAccess } from '#tests/access/section_access'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { aBrand } from '#tests/helpers/platform'
import { uniqueId } from '#tests/helpers/provider_events'
import { HOOK_KEY } from '#tests/helpers/signature'

const ORGANISATION = '300000000000000001'

const event: Body = () => ({
  eventType: 'user.created',
  orgId: ORGANISATION,
  occurredAt: '2026-03-01T10:00:00Z',
  eventId: uniqueCode('event'),
  user: { id: uniqueId(), email: uniqueEmail(), firstName: 'Ada', lastName: 'King' },
})

/** A message that is accepted even if parts are missing. */
const providerMessage: BodyInScene = async ({ client }) => {
  await transaction((trx) => storeSigningKey(HOOK_KEY, trx))
  const { idpOrgId } = await aBrand(client, { idpOrgId: uniqueCode('organisation') })
  return {
    contextInfo: {
      eventType: 'user.human.password.code.added',
      recipientEmailAddress: uniqueEmail(),
    },
    templateData: {
      title: 'Reset',
      subject: 'Reset your password',
      greeting: 'Hello Ada,',
      text: 'Your code is Q4MN8Z.',
      buttonText: 'Reset',
      url: `https://id.example/reset?code=Q4MN8Z&orgID=${idpOrgId}`,
      includeFooter: true,
      footerText: 'Acme',
    },
    args: { orgID: idpOrgId, code: 'Q4MN8Z', displayName: 'Ada King' },
  }
}

export default {
  parameters: {
    'orgs/:orgId': () => ORGANISATION,
  },
  routes: {
    'GET /api/idp/health': 'anyone',
    'GET /api/idp/discovery': 'anyone',
    'GET /api/idp/login': 'anyone',
    'GET /api/idp/callback': 'anyone',
    'POST /api/idp/notifications/email': ['signed', undefined, providerMessage],
    'POST /api/idp/webhook': ['provider', event],

    'GET /api/idp/admin/notification-provider': 'super',
    'POST /api/idp/admin/notification-provider/setup': ['super', () => ({ rotate: false })],
    'POST /api/idp/admin/notification-provider/activate': 'super',
    'GET /api/idp/admin/notification-provider/setup': 'super',
    'POST /api/idp/admin/notification-provider/test': 'super',
    'GET /api/idp/admin/reconciliations': 'super',
    'POST /api/idp/admin/reconciliations': ['super', () => ({ dryRun: true })],
    'GET /api/idp/admin/applications': 'super',
    'GET /api/idp/admin/orgs': 'super',
    'GET /api/idp/admin/orgs/:orgId/branding': 'super',
    'POST /api/idp/admin/orgs': ['super', () => ({ name: 'Contoso', domain: 'contoso.example' })],
    'PUT /api/idp/admin/orgs/:orgId/branding': [
      'super',
      () => ({ primaryColor: '#b00020', logoUrl: 'https://contoso.example/logo.png' }),
    ],
    'POST /api/idp/admin/orgs/:orgId/setup': [
      'super',
      (userApiAppCode) => ({
        projectName: 'Fieldbook',
        appName: 'web',
        redirectUris: ['https://fieldbook.example/callback'],
        userApiAppCode,
      }),
    ],
    'GET /api/applications/:appCode/idp/sync': 'view',
    'POST /api/applications/:appCode/idp/sync': 'edit',
    'DELETE /api/users/:email': 'super',
    'GET /api/users/:email/export': 'super',
    'PUT /api/users/:email/active': ['super', () => ({ active: false })],
    'PUT /api/users/:email/identity': ['super', () => ({ idpUserId: uniqueId() })],
    'PUT /api/internal/auth/registration-locale': [
      'internal',
      () => ({ email: uniqueEmail(), orgId: ORGANISATION, locale: 'cs-CZ' }),
    ],
  },
} satisfies SectionAccess
