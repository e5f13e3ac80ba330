import Application from '#app/applications/models/application'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { recordActivity } from '#app/profiles/actions/record_activity'
import { recordLogin } from '#app/profiles/actions/record_login'
import { recordLogout } from '#app/profiles/actions/record_logout'

export const APPLICATION_EVENTS = ['login', 'activity', 'logout'] as const

export interface ApplicationEvent {
  email: string
  appCode: string
  event: (typeof APPLICATION_EVENTS)[number]
}

/**
 * @returns whether anything was recorded
 * @throws ApplicationNotFound
 */
export async function recordApplicationEvent({ email, appCode, event }: ApplicationEvent) {
  const application = await Application.withCode(appCode)
  const user = await ensureUser({ email })
  switch (event) {
    case 'login':
      await recordLogin(user, application, 'server')
      return true
    case 'activity': {
      const { recorded } = await recordActivity(user, application)
      return recorded
    }
    case 'logout':
      return recordLogout(user.email, application, 'server')
  }
}
