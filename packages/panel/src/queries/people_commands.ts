import { conciergeCommand } from '@/api/commands'
import { type TimeWindow, windowOptions } from '@/api/time_window'

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
    'users',
    'preferences',
    email,
    appCode,
    '--notifications',
    String(notificationsEnabled),
  ]
)
conciergeCommand('POST', '/api/users/admins', (_, { email, ...window }) => [
  'users',
  'admins',
  'add',
  String(email),
  ...windowOptions(window),
])
conciergeCommand('POST', '/api/users/admins/apps/:appCode', ([appCode], { email, ...window }) => [
  'users',
  'admins',
  'add',
  String(email),
  '--app',
  appCode,
  ...windowOptions(window),
])
conciergeCommand('DELETE', '/api/users/admins/:email', ([email]) => [
  'users',
  'admins',
  'remove',
  email,
])
conciergeCommand('DELETE', '/api/users/admins/apps/:appCode/:email', ([appCode, email]) => [
  'users',
  'admins',
  'remove',
  email,
  '--app',
  appCode,
])

interface ImportBody {
  rows?: ({ email: string; role: string } & Partial<TimeWindow>)[]
}

/** The command assigns the roles of one person, all for the same time. */
conciergeCommand('POST', '/api/applications/:appCode/assignments/import', ([appCode], body) => {
  const { rows = [] } = body as ImportBody
  const [first] = rows
  const ends = new Set(
    rows.map(({ email, ...window }) => JSON.stringify([email, ...windowOptions(window)]))
  )
  if (!first || ends.size !== 1) return null
  const roles = rows.map(({ role }) => role)
  return ['grants', 'add', first.email, appCode, ...roles, ...windowOptions({ ...first })]
})
