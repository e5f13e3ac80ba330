import { conciergeCommand } from '@/api/commands'

/** How changes of people, assignments and administrators are written as commands. */
conciergeCommand('PUT', '/api/users/:email/active', ([email], { active }) => [
  'users',
  active ? 'activate' : 'deactivate',
  email,
])
conciergeCommand('DELETE', '/api/users/:email', ([email]) => ['users', 'erase', email])
conciergeCommand('PUT', '/api/users/:email/identity', ([email], { idpUserId }) =>
  idpUserId === null ? ['users', 'release', email] : ['users', 'bind', email, String(idpUserId)]
)
conciergeCommand(
  'PUT',
  '/api/users/:email/apps/:appCode/preferences',
  ([email, appCode], { notificationsEnabled }) => [
    ...['users', 'preferences', email, appCode],
    ...['--notifications', String(notificationsEnabled)],
  ]
)
conciergeCommand('POST', '/api/users/admins', (_, { email }) => [
  ...['users', 'admins', 'add', String(email)],
])
conciergeCommand('POST', '/api/users/admins/apps/:appCode', ([appCode], { email }) => [
  ...['users', 'admins', 'add', String(email), '--app', appCode],
])
conciergeCommand('DELETE', '/api/users/admins/:email', ([email]) => [
  ...['users', 'admins', 'remove', email],
])
conciergeCommand('DELETE', '/api/users/admins/apps/:appCode/:email', ([appCode, email]) => [
  ...['users', 'admins', 'remove', email, '--app', appCode],
])

interface ImportBody {
  rows?: { email: string; role: string }[]
}

/** The command assigns the roles of one person. */
conciergeCommand('POST', '/api/applications/:appCode/assignments/import', ([appCode], body) => {
  const { rows = [] } = body as ImportBody
  const emails = new Set(rows.map(({ email }) => email))
  if (emails.size !== 1) return null
  return ['grants', 'add', [...emails][0], appCode, ...rows.map(({ role }) => role)]
})
