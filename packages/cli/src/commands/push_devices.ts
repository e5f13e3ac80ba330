import type { Command } from 'commander'
import { command, positiveInteger } from '../command.ts'
import { unwrapData, withSession } from '../session.ts'

const DEVICES = '/api/users/{email}/push-subscriptions'
const COLUMNS = ['id', 'service', 'deviceLabel', 'createdAt', 'lastUsedAt']

export function pushDevices(users: Command): void {
  command(users, 'devices <email>', 'List the push devices of a user', [
    'concierge users devices alan@acme.example',
    '',
    'Requires a super admin.',
  ]).action(
    withSession(async (session, email: string) => {
      const params = { path: { email } }
      session.print(await unwrapData(session.api.GET(DEVICES, { params })), COLUMNS)
    })
  )

  command(users, 'remove-device <email>', 'Remove a push device of a user', [
    'concierge users remove-device alan@acme.example 7',
    '',
    'Requires a super admin.',
  ])
    .argument('<id>', 'id of the device', positiveInteger)
    .action(
      withSession(async (session, email: string, id: number) => {
        await session.confirm(`Remove push device ${id} of ${email}?`)
        const params = { path: { email, id } }
        await session.finish(session.api.DELETE(`${DEVICES}/{id}`, { params }))
      })
    )
}
