import { notFound } from '../errors.ts'
import { type Session, unwrapData } from '../session.ts'

interface Named {
  app: string
  type: string
  key: string
}

/** @throws Failure if the type does not have the template */
export async function findTemplate({ api }: Session, { app, type, key }: Named) {
  const listed = await unwrapData(
    api.GET('/api/admin/notifications/types/{appCode}/{type}/templates', {
      params: { path: { appCode: app, type } },
    })
  )
  const template = listed.find((each) => each.key === key)
  if (!template) throw notFound('TEMPLATE_NOT_FOUND', `${type} has no template ${key}`)
  return template
}
