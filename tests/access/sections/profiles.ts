import { ensureUser } from '#app/profiles/actions/ensure_user'
import type { SectionAccess } from '#tests/access/section_access'
import { uniqueEmail } from '#tests/helpers/people'

const names = { firstName: 'Ada', lastName: 'King', displayName: 'Ada King' }

async function personWithRecord() {
  const { email } = await ensureUser({ email: uniqueEmail() })
  return email
}

export default {
  parameters: {
    'users/:email': personWithRecord,
    'profile/:email': personWithRecord,
  },
  routes: {
    'POST /api/internal/auth/application-events': [
      'ownInternal',
      (appCode) => ({ appCode, email: uniqueEmail(), event: 'login' }),
    ],
    'PUT /api/internal/auth/profile-sync': [
      'internal',
      () => ({ email: uniqueEmail(), ...names, changedAt: '2026-03-01T10:00:00Z' }),
    ],

    'GET /api/profile/me': 'own',
    'PUT /api/profile/me': [
      'active',
      () => ({
        ...names,
        avatarUrl: 'https://pictures.example/ada.png',
        locale: 'cs',
        theme: 'dark',
        timezone: 'Europe/Prague',
        brand: 'default',
      }),
    ],
    'GET /api/profile/me/options': 'active',
    'GET /api/profile/me/apps': 'active',
    'GET /api/profile/me/apps/:appCode': 'active',
    'PUT /api/profile/me/apps/:appCode': [
      'active',
      () => ({ showHelp: false, notificationsEnabled: true }),
    ],
    'POST /api/profile/me/apps/:appCode/activity': 'active',
    'POST /api/profile/me/apps/:appCode/logout': 'active',
    'GET /api/profile/:email': 'users',

    'GET /api/applications/:appCode/login-records': 'view',
    'GET /api/users': 'users',
    'GET /api/users/:email': 'users',
    'GET /api/users/:email/login-records': 'users',
    'GET /api/users/:email/apps/:appCode/preferences': 'view',
    'PUT /api/users/:email/apps/:appCode/preferences': [
      'edit',
      () => ({ showHelp: false, notificationsEnabled: false }),
    ],
  },
} satisfies SectionAccess
