import { randomUUID } from 'node:crypto'
import type { NextFn } from '@adonisjs/core/types/http'
import { HttpContextFactory } from '@adonisjs/core/factories/http'
import { HttpContext } from '@adonisjs/core/http'
import { Logger, destination } from '@adonisjs/core/logger'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import router from '@adonisjs/core/services/router'
import { BaseSerializer, BaseTransformer } from '@adonisjs/core/transformers'
import db from '@adonisjs/lucid/services/db'
import { PreparedQuery } from '#core/database/prepared_query'
import { accessLog } from '#core/http/access_log'
import { reuseInstances } from '#core/http/reuse_instances'
import type { Pair } from './compare.ts'

const ROUTE = '/api/applications/:appCode/roles/:roleId'

export async function pairs(): Promise<Pair[]> {
  return [
    accessLine('the logger of the service', (line) => logger.info(line, 'request')),
    accessLine('a plain pino logger, batched', plainLogger()),
    context(),
    middleware(),
    await query('by the query builder', (table, id) => db.from(table).where({ id }).first()),
    await query('by a raw query', (table, id) =>
      db.rawQuery(`select id, name, level from ${table} where id = ?`, [id])
    ),
    transformer(1),
    transformer(100),
  ]
}

function plainLogger() {
  const out = destination({ dest: '/dev/null', sync: false, minLength: 16_000 })
  const plain = new Logger({ enabled: true, name: 'concierge', destination: out })
  return (line: object) => plain.info(line, 'request')
}

function accessLine(title: string, write: (line: object) => void): Pair {
  const line = () => ({
    requestId: randomUUID(),
    method: 'GET',
    route: ROUTE,
    status: 200,
    ms: 1.25,
    client: '192.0.2.1',
    caller: 'ada@acme.example',
  })
  return {
    part: `access line, and ${title}`,
    ours: () => accessLog!.write(line()),
    library: () => write(line()),
    calls: 20_000,
  }
}

function context(): Pair {
  const { request, response, containerResolver } = new HttpContextFactory().create()
  const make = (log: HttpContext['logger']) =>
    new HttpContext(request, response, log, containerResolver)
  return {
    part: 'request context',
    ours: () => make(logger),
    library: () => make(logger.child({ request_id: 'e9a1b3f0-5b1c-4f0e-9a51-2f2f3f6c1b7d' })),
    calls: 20_000,
  }
}

class Guard {
  async handle(_ctx: HttpContext, next: NextFn) {
    return next()
  }
}

function middleware(): Pair {
  const load = async () => ({ default: Guard })
  const ours = reuseInstances(router.named({ guard: load })).guard()
  const library = router.named({ guard: load }).guard()
  const ctx = new HttpContextFactory().create()
  const resolver = app.container.createResolver()
  const next = async () => {}
  return {
    part: 'middleware',
    ours: () => ours.handle(resolver as never, ctx, next),
    library: () => library.handle(resolver as never, ctx, next),
    calls: 50_000,
  }
}

async function query(title: string, read: (table: string, id: number) => Promise<unknown>) {
  const table = 'own_parts'
  await db.rawQuery(`drop table if exists ${table}`)
  await db.rawQuery(`create table ${table} (id integer primary key, name text, level text)`)
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `name ${id}`, level: 'view' }))
  await db.table(table).multiInsert(rows)
  const prepared = new PreparedQuery(title, `select id, name, level from ${table} where id = $1`)
  let [id, other] = [0, 0]
  return {
    part: `query, and ${title} (${db.connection().dialect.name})`,
    ours: () => prepared.all([(id = (id + 1) % 500)]),
    library: () => read(table, (other = (other + 1) % 500)),
    calls: 2_000,
  }
}

interface Role {
  id: number
  code: string
  description: string
  permissions: { id: number; code: string }[]
}

class PermissionTransformer extends BaseTransformer<Role['permissions'][number]> {
  toObject() {
    return this.pick(this.resource, ['id', 'code'])
  }
}

class RoleTransformer extends BaseTransformer<Role> {
  toObject() {
    return {
      ...this.pick(this.resource, ['id', 'code', 'description']),
      permissions: PermissionTransformer.transform(this.resource.permissions),
    }
  }
}

class Envelope extends BaseSerializer<{ Wrap: 'data' }> {
  wrap = 'data' as const
  definePaginationMetaData(meta: unknown): never {
    return meta as never
  }
}

const roleResource = ({ id, code, description, permissions }: Role) => ({
  id,
  code,
  description,
  permissions: permissions.map((permission) => ({ id: permission.id, code: permission.code })),
})

function transformer(length: number): Pair {
  const roles = Array.from({ length }, (_, id) => ({
    id,
    code: `role-${id}`,
    description: 'A role',
    permissions: [0, 1, 2].map((number) => ({ id: number, code: `permission-${number}` })),
  }))
  const envelope = new Envelope()
  const resolver = app.container.createResolver()
  return {
    part: `response with ${length} of a resource and its list`,
    ours: () => ({ data: roles.map(roleResource) }),
    library: () => envelope.serialize(RoleTransformer.transform(roles), resolver as never),
    calls: 20_000 / length,
  }
}
