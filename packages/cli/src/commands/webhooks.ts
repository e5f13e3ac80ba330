import { type Command, Option } from 'commander'
import { booleanValue, codeList, command, group, positiveInteger } from '../command.ts'
import { collect } from '../paging.ts'
import { unwrapData, withSession } from '../session.ts'

const PATH = '/api/applications/{appCode}/webhooks'
const ONE = `${PATH}/{id}` as const
const COLUMNS = ['id', 'url', 'events', 'enabled', 'failingSince', 'lastSuccessAt']
const DELIVERY_COLUMNS = ['id', 'type', 'status', 'attempts', 'responseStatus', 'createdAt']
const STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const
const LATEST = 50

type EventType =
  | `notification.${'sent' | 'failed' | 'skipped' | 'bounced'}`
  | `user.${'deactivated' | 'reactivated' | 'erased'}`
  | 'access.changed'

interface Fields {
  url?: string
  events?: string[]
  enabled?: boolean
}

interface Filters {
  status?: (typeof STATUSES)[number]
  type?: string
  limit: number
  all?: boolean
}

export function webhooks(program: Command): void {
  const parent = group(program, 'webhooks', 'Manage where applications receive their events')

  command(parent, 'list <app>', 'List webhooks', ['concierge webhooks list shop']).action(
    withSession(async (session, appCode: string) => {
      const params = { path: { appCode } }
      session.print(await unwrapData(session.api.GET(PATH, { params })), COLUMNS)
    })
  )

  command(parent, 'create <app> <url>', 'Create a webhook and show its secret once', [
    'concierge webhooks create shop https://shop.example/events --events notification.failed,user.erased',
  ])
    .requiredOption('--events <types>', 'types of events, separated by commas', codeList)
    .action(
      withSession(async (session, appCode: string, url: string, { events }: Fields) => {
        const params = { path: { appCode } }
        const body = { url, events: events as EventType[] }
        session.print(await unwrapData(session.api.POST(PATH, { params, body })))
      })
    )

  withId(
    command(parent, 'update <app>', 'Change, disable or enable a webhook', [
      'concierge webhooks update shop 7 --enabled false',
      'concierge webhooks update shop 7 --events notification.failed,notification.bounced',
    ])
  )
    .option('--url <url>', 'new address')
    .option('--events <types>', 'types of events, separated by commas', codeList)
    .option('--enabled <boolean>', 'whether events are sent', booleanValue)
    .action(
      withSession(async (session, appCode: string, id: number, fields: Fields) => {
        const params = { path: { appCode, id } }
        const body = { ...fields, events: fields.events as EventType[] | undefined }
        session.print(await unwrapData(session.api.PUT(ONE, { params, body })))
      })
    )

  withId(
    command(parent, 'delete <app>', 'Delete a webhook with its deliveries', [
      'concierge webhooks delete shop 7 --yes',
    ])
  ).action(
    withSession(async (session, appCode: string, id: number) => {
      await session.confirm(`Delete webhook ${id} of ${appCode}? Events that wait are not sent.`)
      await session.finish(session.api.DELETE(ONE, { params: { path: { appCode, id } } }))
    })
  )

  withId(
    command(parent, 'rotate-secret <app>', 'Create a new secret and show it once', [
      'concierge webhooks rotate-secret shop 7',
      '',
      'For 24 hours, events are signed with both secrets.',
    ])
  ).action(
    withSession(async (session, appCode: string, id: number) => {
      const params = { path: { appCode, id } }
      session.print(await unwrapData(session.api.POST(`${ONE}/rotate-secret`, { params })))
    })
  )

  withId(
    command(parent, 'test <app>', 'Send a test event', ['concierge webhooks test shop 7'])
  ).action(
    withSession(async (session, appCode: string, id: number) => {
      const params = { path: { appCode, id } }
      session.print(await unwrapData(session.api.POST(`${ONE}/test`, { params })))
    })
  )

  withId(
    command(parent, 'deliveries <app>', 'List events sent to a webhook, latest first', [
      'concierge webhooks deliveries shop 7 --status failed',
      'concierge webhooks deliveries shop 7 --all --output json',
    ])
  )
    .addOption(new Option('--status <status>', 'filter by status').choices(STATUSES))
    .option('--type <type>', 'filter by type of event')
    .option('--limit <count>', 'maximum number of results', positiveInteger, LATEST)
    .option('--all', 'list all')
    .action(
      withSession(async (session, appCode: string, id: number, options: Filters) => {
        const { status, type, ...bounds } = options
        const found = await collect(bounds, (page) => {
          const params = { path: { appCode, id }, query: { ...page, status, type } }
          return session.api.GET(`${ONE}/deliveries`, { params })
        })
        session.print(found, DELIVERY_COLUMNS)
      })
    )

  withId(
    command(parent, 'replay <app>', 'Send an event again', [
      'concierge webhooks replay shop 7 1234',
    ])
  )
    .argument('<delivery>', 'id of the delivery', positiveInteger)
    .action(
      withSession(async (session, appCode: string, id: number, deliveryId: number) => {
        const params = { path: { appCode, id, deliveryId } }
        const path = `${ONE}/deliveries/{deliveryId}/replay` as const
        session.print(await unwrapData(session.api.POST(path, { params })))
      })
    )
}

const withId = (target: Command) => target.argument('<id>', 'id of the webhook', positiveInteger)
