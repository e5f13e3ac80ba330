import type { Command } from 'commander'
import { command, group, positiveInteger } from '../command.ts'
import { unwrapData, withSession } from '../session.ts'

const PATH = '/api/applications/{appCode}/keys'
const COLUMNS = ['id', 'name', 'prefix', 'createdAt', 'lastUsedAt', 'expiresAt']

interface Fields {
  expires?: string
}

export function keys(program: Command): void {
  const parent = group(program, 'keys', 'Manage application keys')

  command(parent, 'list <app>', 'List keys, without their secrets', [
    'concierge keys list shop',
  ]).action(
    withSession(async (session, appCode: string) => {
      const params = { path: { appCode } }
      session.print(await unwrapData(session.api.GET(PATH, { params })), COLUMNS)
    })
  )

  command(parent, 'create <app> <name>', 'Create a key and show it once', [
    "concierge keys create shop 'Order service'",
    'concierge keys create shop CI --expires 2027-01-01T00:00:00Z --output json',
  ])
    .option('--expires <time>', 'expiry time (ISO 8601)')
    .action(
      withSession(async (session, appCode: string, name: string, { expires }: Fields) => {
        const params = { path: { appCode } }
        const body = { name, ...(expires !== undefined && { expiresAt: expires }) }
        session.print(await unwrapData(session.api.POST(PATH, { params, body })))
      })
    )

  command(parent, 'revoke <app>', 'Revoke a key immediately', [
    'concierge keys revoke shop 7 --yes',
  ])
    .argument('<id>', 'id of the key', positiveInteger)
    .action(
      withSession(async (session, appCode: string, id: number) => {
        await session.confirm(
          `Revoke key ${id} of ${appCode}? Servers that use it are refused immediately.`
        )
        const params = { path: { appCode, id } }
        await session.finish(session.api.DELETE(`${PATH}/{id}`, { params }))
      })
    )
}
