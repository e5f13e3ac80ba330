import { ConciergeProblem, unwrap } from '@concierge/client'
import type { Session } from '../session.ts'
import { isReadableByOthers, profilePath } from '../settings/profile_file.ts'
import { type Finding, failure, runCheck, ok, warning } from './finding.ts'

const SIGN_IN = 'Sign in: concierge login'
const NO_CHECKS = 'The service serves /api/check only to its private network'

export async function checkCredentials(session: Session): Promise<Finding[]> {
  const { api, settings } = session
  const hasToken = Boolean(settings.token ?? settings.profile?.content.token)
  const findings = await Promise.all([
    runCheck('token', SIGN_IN, async () =>
      hasToken ? checkToken(session) : warning('none', SIGN_IN)
    ),
    runCheck('internal key', 'Check CONCIERGE_INTERNAL_KEY', async () =>
      settings.internalKey === undefined
        ? warning('none', 'Required by notify: --internal-key or CONCIERGE_INTERNAL_KEY')
        : checkInternalKey(api)
    ),
    runCheck('checks', NO_CHECKS, async () => checkCheckEndpoint(api)),
    runCheck('profiles', 'Run chmod 600 on the file', async () =>
      isReadableByOthers()
        ? warning(`others can read ${profilePath()}`, `chmod 600 '${profilePath()}'`)
        : ok(settings.profile ? `using ${settings.profile.name}` : 'none in use')
    ),
  ])
  const mail = hasToken ? await checkProviderEmails(session) : undefined
  return mail ? [...findings, mail] : findings
}

async function checkToken({ api, settings }: Session) {
  const { data } = await unwrap(api.GET('/api/profile/me'))
  const { response } = await unwrap(api.GET('/api/profile/me/admin-status'))
  const role = response.isSuperAdmin
    ? 'super admin'
    : response.appAdminFor.length > 0
      ? `administrator of ${response.appAdminFor.join(', ')}`
      : 'not an administrator'
  const { expiresAt, refreshToken } = settings.profile?.content ?? {}
  const isFromProfile = settings.token === undefined && expiresAt !== undefined
  const expiry =
    isFromProfile && !refreshToken ? `, expires ${new Date(expiresAt).toISOString()}` : ''
  return ok(`${data.email}, ${role}${expiry}`)
}

/** A harmless request: it returns 401 only for a wrong key. */
async function checkInternalKey(api: Session['api']) {
  const params = { query: { appCode: 'auth' } }
  const { response, error } = await api.GET('/api/internal/notifications/types', { params })
  const problem = new ConciergeProblem(response.status, error)
  if (response.status === 401)
    return failure('refused', 'Use a key of the application or one of INTERNAL_API_KEY')
  if (response.ok || problem.code === 'APPLICATION_NOT_FOUND') return ok('accepted')
  if (problem.code === 'NOT_FOUND') {
    return warning('not served here', 'Use the INTERNAL_PORT of the service')
  }
  throw problem
}

async function checkCheckEndpoint(api: Session['api']) {
  const body = { email: 'doctor@concierge.example', app: 'auth', permission: 'doctor' }
  const { response, error } = await api.POST('/api/check', { body })
  if (response.ok) return ok('available')
  if (response.status === 401) {
    return failure('refused', 'CONCIERGE_CHECK_KEY must be one of CHECK_KEYS')
  }
  if (response.status === 404) {
    return warning('not served here', 'In production, checks are served on INTERNAL_PORT only')
  }
  throw new ConciergeProblem(response.status, error)
}

/** Only super admins may read the setup of the provider's mails. */
async function checkProviderEmails({ api }: Session): Promise<Finding | undefined> {
  const status = await api.GET('/api/profile/me/admin-status')
  const { isSuperAdmin }: { isSuperAdmin?: boolean } = status.data?.response ?? {}
  if (!isSuperAdmin) return undefined
  return runCheck('notification provider', 'See the log of the service', async () => {
    const found = await unwrap(api.GET('/api/idp/admin/notification-provider'))
    if (found.configured && found.hasSigningKey) return ok(`set up at ${found.endpoint}`)
    const text = found.configured ? 'set up, but without a stored signing key' : 'not set up'
    return warning(text, 'Run on the service: node ace idp:setup-provider')
  })
}
