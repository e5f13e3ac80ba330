import { notFound } from './errors.ts'
import { type Session, unwrapData } from './session.ts'

export async function permissionsOf({ api }: Session, appCode: string) {
  const params = { path: { appCode } }
  return unwrapData(api.GET('/api/applications/{appCode}/permissions', { params }))
}

export async function rolesOf({ api }: Session, appCode: string) {
  const params = { path: { appCode } }
  return unwrapData(api.GET('/api/applications/{appCode}/roles', { params }))
}

/** @throws Failure */
export async function findEntity({ api }: Session, appCode: string, code: string) {
  const params = { path: { appCode } }
  const entities = await unwrapData(api.GET('/api/applications/{appCode}/entities', { params }))
  const found = entities.find((each) => each.code === code)
  if (found) return found
  throw notFound('ENTITY_NOT_FOUND', `${appCode} has no entity ${code}`)
}

/** @throws Failure */
export async function findPermission(session: Session, appCode: string, code: string) {
  return pickPermission(await permissionsOf(session, appCode), appCode, code)
}

/** @throws Failure */
export async function findRole(session: Session, appCode: string, code: string) {
  return pickRole(await rolesOf(session, appCode), appCode, code)
}

export function pickPermission<T extends { code: string }>(all: T[], app: string, code: string) {
  const found = all.find((each) => each.code === code)
  if (found) return found
  throw notFound('PERMISSION_NOT_FOUND', `${app} has no permission ${code}`)
}

export function pickRole<T extends { code: string }>(all: T[], app: string, code: string) {
  const found = all.find((each) => each.code === code)
  if (found) return found
  throw notFound('ROLE_NOT_FOUND', `${app} has no role ${code}`)
}
