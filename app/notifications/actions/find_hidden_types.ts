import { findHiddenApplications } from '#app/auth/membership/find_hidden_applications'
import NotificationType from '#app/notifications/models/notification_type'

export async function findHiddenTypes(email: string, ids: number[]): Promise<Set<number>> {
  const types = await NotificationType.query()
    .whereIn('id', ids)
    .whereHas('application', (applications) => applications.where('membership', 'granted'))
    .preload('application')
  const byApplication = Map.groupBy(types, ({ application }) => application.code)
  const hidden = await findHiddenApplications(email, [...byApplication.keys()], 'know')
  return new Set(hidden.flatMap((code) => byApplication.get(code)!.map(({ id }) => id)))
}
