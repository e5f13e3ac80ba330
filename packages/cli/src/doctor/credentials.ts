import { ConciergeProblem, unwrap } from '@concierge/client'
import type { Session } from '../session.ts'
import { isReadByOthers, profilePath } from '../settings/profile_file.ts'
import { type Finding, failure, look, ok, warning } from './finding.ts'

const SIGN_IN = 'Sign in: concierge login'
const NO_CHECKS = 'The service answers /api/check only to its private network'

export async function lookAtCredentials(session: Session): Promise<Finding[]> {
  const { api, settings } = session
  const hasToken = Boolean(settings.token ?? settings.profile?.content.token)
  const findings = await Promise.all([
    look('token', SIGN_IN, async () => (hasToken ? whose(session) : warning('none', SIGN_IN))),
    look('internal key', 'Is CONCIERGE_INTERNAL_KEY one of INTERNAL_API_KEY?', async () =>
      settings.internalKey === undefined
        ? warning('none', 'Needed by notify: --internal-key or CONCIERGE_INTERNAL_KEY')
        : keyIsTaken(api)
    ),
    look('checks', NO_CHECKS, async () => checksAreAnswered(api)),
    look('profiles', 'Mend it with chmod 600', async () =>
      isReadByOthers()
        ? warning(`others can read ${profilePath()}`, `chmod 600 '${profilePath()}'`)
        : ok(settings.profile ? `using ${settings.profile.name}` : 'none in use')
    ),
  ])
  const mail = hasToken ? await lookAtMail(session) : undefined
  return mail ? [...findings, mail] : findings
}

async function whose({ api, settings }: Session) {
  const { data } = await unwrap(api.GET('/api/profile/me'))
  const { response } = await unwrap(api.GET('/api/profile/me/admin-status'))
  const standing = response.isSuperAdmin
    ? 'super admin'
    : response.appAdminFor.length > 0
      ? `administrator of ${response.appAdminFor.join(', ')}`
      : 'no administrator'
  const { expiresAt, refreshToken } = settings.profile?.content ?? {}
  const isKept = settings.token === undefined && expiresAt !== undefined
  const until = isKept && !refreshToken ? `, until ${new Date(expiresAt).toISOString()}` : ''
  return ok(`${data.email}, ${standing}${until}`)
}

/** A harmless request: it returns 401 only for a wrong key. */
async function keyIsTaken(api: Session['api']) {
  const params = { query: { appCode: 'auth' } }
  const { response, error } = await api.GET('/api/internal/notifications/types', { params })
  const problem = new ConciergeProblem(response.status, error)
  if (response.status === 401) return failure('refused', 'It is none of INTERNAL_API_KEY')
  if (response.ok || problem.code === 'APPLICATION_NOT_FOUND') return ok('taken')
  if (problem.code === 'NOT_FOUND') {
    return warning('not served here', 'The service has an INTERNAL_PORT of its own: use that')
  }
  throw problem
}

async function checksAreAnswered(api: Session['api']) {
  const body = { email: 'doctor@concierge.example', app: 'auth', permission: 'doctor' }
  const { response, error } = await api.POST('/api/check', { body })
  if (response.ok) return ok('answered from here')
  if (response.status === 401) {
    return failure('refused', 'Is CONCIERGE_CHECK_KEY one of CHECK_KEYS?')
  }
  if (response.status === 404) {
    return warning('not served here', 'In production, checks are served on INTERNAL_PORT only')
  }
  throw new ConciergeProblem(response.status, error)
}

/** Only super admins may read the setup of the provider's e-mails. */
async function lookAtMail({ api }: Session): Promise<Finding | undefined> {
  const status = await api.GET('/api/profile/me/admin-status')
  if (!status.data?.response.isSuperAdmin) return undefined
  return look('notification provider', 'Look at the log of the service', async () => {
    const found = await unwrap(api.GET('/api/idp/admin/notification-provider'))
    if (found.configured && found.hasSigningKey) return ok(`set up, calls ${found.endpoint}`)
    const text = found.configured ? 'set up, but its signing key is not stored' : 'not set up'
    return warning(text, 'On the service: node ace idp:setup-provider')
  })
}
