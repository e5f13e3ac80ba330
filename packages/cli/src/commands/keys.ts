import type { Command } from 'commander'
import { command, group, positive } from '../command.ts'
import { data, withSession } from '../session.ts'

const PATH = '/api/applications/{appCode}/keys'
const COLUMNS = ['id', 'name', 'prefix', 'createdAt', 'lastUsedAt', 'expiresAt']

interface Fields {
  expires?: string
}

export function keys(program: Command): void {
  const parent = group(program, 'keys', 'Application keys, for servers of an application')

  command(parent, 'list <app>', 'List the keys, without their secrets', [
    'concierge keys list shop',
  ]).action(
    withSession(async (session, appCode: string) => {
      const params = { path: { appCode } }
      session.print(await data(session.api.GET(PATH, { params })), COLUMNS)
    })
  )

  command(parent, 'create <app> <name>', 'Create a key and show it once', [
    "concierge keys create shop 'Order service'",
    'concierge keys create shop CI --expires 2027-01-01T00:00:00Z --output json',
  ])
    .option('--expires <time>', 'when the key expires')
    .action(
      withSession(async (session, appCode: string, name: string, { expires }: Fields) => {
        const params = { path: { appCode } }
        const body = { name, ...(expires !== undefined && { expiresAt: expires }) }
        session.print(await data(session.api.POST(PATH, { params, body })))
      })
    )

  command(parent, 'revoke <app>', 'Revoke a key immediately', [
    'concierge keys revoke shop 7 --yes',
  ])
    .argument('<id>', 'id of the key', positive)
    .action(
      withSession(async (session, appCode: string, id: number) => {
        await session.confirm(
          `Revoke key ${id} of ${appCode}? Servers that use it are refused immediately.`
        )
        const params = { path: { appCode, id } }
        await session.done(session.api.DELETE(`${PATH}/{id}`, { params }))
      })
    )
}
