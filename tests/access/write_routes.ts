import router from '@adonisjs/core/services/router'
import type { ApiClient } from '@japa/api-client'
import { ROUTES, bodyOf, kindOf } from '#tests/access/routes'
import { type Scene, pathIn } from '#tests/access/scene'
import { anApplication } from '#tests/helpers/people'
import type { Sender } from '#tests/helpers/send'
import { SUPER_ADMIN } from '#tests/world/prepare'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export interface WriteRoute {
  method: string
  pattern: string
  path: string
  /** A valid body; undefined if the route takes none. */
  body: { [key: string]: Json } | undefined
  /** A field whose items are validated one by one. */
  itemwise: string | undefined
  sender: Sender
}

/** See RFC 8058. */
const FORM_ROUTE = 'POST /api/unsubscribe/:token'

/** See notifications.md#bulk-sends and authzen.md#failed-items. */
const ITEMWISE: Record<string, string | undefined> = {
  '/api/internal/notifications/bulk': 'notifications',
  '/api/authzen/:appCode/access/v1/evaluations': 'evaluations',
}

const DELETE_APPLICATION = 'DELETE /api/applications/:appCode'

/**
 * All writing routes with JSON or no body, with a valid path and body. They share an application
 * and what they name in it, except what deletions name, because each uses it up.
 */
export async function writeRoutes(client: ApiClient): Promise<WriteRoute[]> {
  const scene = await aScene(client)
  const shared = { ...scene, named: new Map<string, string | number>() }
  const found: WriteRoute[] = []
  for (const route of Object.keys(ROUTES).filter(isWriting)) {
    if (route === DELETE_APPLICATION) found.push(await writeRoute(route, await aScene(client)))
    else found.push(await writeRoute(route, route.startsWith('DELETE ') ? scene : shared))
  }
  return found
}

async function aScene(client: ApiClient): Promise<Scene> {
  const application = await anApplication()
  const listEndpoint = 'https://documents.example/list'
  return { client, application, email: SUPER_ADMIN, listEndpoint }
}

async function writeRoute(route: string, scene: Scene): Promise<WriteRoute> {
  const [method, pattern] = route.split(' ')
  return {
    method,
    pattern,
    path: await pathIn(scene, pattern),
    body: (await bodyIn(scene, route)) as WriteRoute['body'],
    itemwise: ITEMWISE[pattern],
    sender: senderOf(route),
  }
}

function bodyIn(scene: Scene, route: string) {
  const row = ROUTES[route]
  const inScene = typeof row === 'string' ? undefined : row[2]
  return inScene ? inScene(scene) : bodyOf(route, scene.application.code)
}

/** All writing routes with JSON or no body, as `METHOD pattern`. */
export function writingRoutesOfRouter(): string[] {
  return Object.values(router.toJSON())
    .flat()
    .flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern}`))
    .filter(isWriting)
}

const isWriting = (route: string) => !/^(GET|HEAD) /.test(route) && route !== FORM_ROUTE

function senderOf(route: string): Sender {
  switch (kindOf(route)) {
    case 'internal':
    case 'ownInternal':
    case 'anyInternal':
      return 'internal'
    case 'provider':
      return 'webhook'
    case 'signed':
      return 'hook'
    case 'anyone':
    case 'authzen':
      return 'network'
    default:
      return 'token'
  }
}
