import { type CataloguedResource, saveInRequests } from '@concierge/client'
import type { Command } from 'commander'
import { command, group, jsonObject, positiveInteger, textOrNull } from '../command.ts'
import { readList } from '../document.ts'
import { findEntity } from '../lookup.ts'
import { collect } from '../paging.ts'
import { type Session, unwrapData, withSession } from '../session.ts'

const PATH = '/api/applications/{appCode}/entities/{id}/resources'
const COLUMNS = ['resourceId', 'label', 'properties', 'updatedAt']
const SHOWN = 50

interface ListOptions {
  search?: string
  limit: number
  all?: boolean
}

interface Fields {
  label?: string
  properties?: Record<string, unknown>
}

export function resources(program: Command): void {
  const parent = group(program, 'resources', 'Manage the resource catalog of an application')

  command(parent, 'list <app> <type>', 'List catalogued resources', [
    'concierge resources list shop order --search 2026',
  ])
    .option('--search <text>', 'part of an id or a label')
    .option('--limit <count>', 'maximum number of results', positiveInteger, SHOWN)
    .option('--all', 'list all')
    .action(
      withSession(async (session, appCode: string, type: string, options: ListOptions) => {
        const { search, ...bounds } = options
        const { id } = await findEntity(session, appCode, type)
        const found = await collect<Record<string, unknown>>(bounds, (page) =>
          session.api.GET(PATH, {
            params: { path: { appCode, id }, query: { ...(search && { search }), ...page } },
          })
        )
        session.print(found, COLUMNS)
      })
    )

  command(parent, 'set <app> <type> <id>', 'Add a resource to the catalog, or update it', [
    "concierge resources set shop order 42 --label 'Order 42'",
    'concierge resources set shop order 42 --properties \'{"status": "open"}\'',
  ])
    .option('--label <text>', 'what people see instead of the id; an empty string removes it')
    .option('--properties <json>', 'object that replaces all properties', jsonObject)
    .action(
      withSession(
        async (session, appCode: string, type: string, resourceId: string, fields: Fields) => {
          const { label, properties } = fields
          const resource = {
            resourceId,
            ...(label !== undefined && { label: textOrNull(label) }),
            ...(properties && { properties }),
          }
          session.print(await save(session, appCode, type, [resource]))
        }
      )
    )

  command(parent, 'import <app> <type> <file>', 'Add or update many resources', [
    'concierge resources import shop order orders.json',
    'export-orders | concierge resources import shop order -',
    '',
    'The file has a list of {resourceId, label, properties} in JSON or YAML; - reads stdin.',
    'Resources that are not in the file stay.',
  ]).action(
    withSession(async (session, appCode: string, type: string, file: string) => {
      const given = readList(file, 'resources') as CataloguedResource[]
      session.print(await save(session, appCode, type, given))
    })
  )

  command(parent, 'delete <app> <type> <ids...>', 'Delete resources from the catalog', [
    'concierge resources delete shop order 41 42 --yes',
  ]).action(
    withSession(async (session, appCode: string, type: string, resourceIds: string[]) => {
      const { id } = await findEntity(session, appCode, type)
      const what = resourceIds.length === 1 ? resourceIds[0] : `${resourceIds.length} resources`
      await session.confirm(`Delete ${what} from the catalog of ${appCode}?`)
      const params = { path: { appCode, id } }
      const body = { resourceIds }
      session.print(await unwrapData(session.api.POST(`${PATH}/delete`, { params, body })))
    })
  )
}

async function save(session: Session, appCode: string, type: string, all: CataloguedResource[]) {
  const params = { path: { appCode, id: (await findEntity(session, appCode, type)).id } }
  return saveInRequests(all, (request) =>
    unwrapData(session.api.PUT(PATH, { params, body: { resources: request } }))
  )
}
