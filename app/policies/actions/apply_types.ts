import { unconditional } from '#core/http/etag'
import { createTemplate } from '#app/notifications/actions/create_template'
import { createType } from '#app/notifications/actions/create_type'
import { deleteTemplate } from '#app/notifications/actions/delete_template'
import { deleteType } from '#app/notifications/actions/delete_type'
import { deleteVersion } from '#app/notifications/actions/delete_version'
import { writeVersion } from '#app/notifications/actions/write_version'
import { updateTemplate } from '#app/notifications/actions/update_template'
import { requireDigestTemplate } from '#app/notifications/actions/require_digest_template'
import { updateType } from '#app/notifications/actions/update_type'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import type { Applying } from '#app/policies/actions/applying'
import { eachChange } from '#app/policies/actions/each_change'
import { textsOf } from '#app/policies/actions/prepare_versions'

/** Removes first, so that additions stay within the limits. */
export async function applyTypes(applying: Applying) {
  const { code: appCode } = applying.application
  await eachChange(applying, 'notificationType', ['remove'], ([code]) => deleteType(appCode, code))
  await eachChange(applying, 'notificationType', ['add'], ([code]) =>
    createType(appCode, { code, ...typeFields(applying, code) }, LATER)
  )
  await eachChange(applying, 'notificationType', ['change'], ([code], { after }) =>
    updateType(appCode, code, wholeFields(applying, code, after!), unconditional, LATER)
  )
  await applyTemplates(applying)
  await eachChange(applying, 'notificationType', ['add', 'change'], async ([code]) => {
    const type = await NotificationType.of(appCode, code, applying.trx)
    await requireDigestTemplate(type, applying.trx)
  })
  const ids = await templateIds(applying)
  await eachChange(applying, 'templateVersion', ['remove'], ([type, key, locale]) =>
    deleteVersion(ids.get(type, key), locale)
  )
  await eachChange(applying, 'templateVersion', ['add', 'change'], (path) => {
    const [type, key, locale] = path
    const fields = applying.prepared.of(textsOf(applying.wanted, path))
    return writeVersion(ids.get(type, key), { ...fields, locale })
  })
}

/** The templates of digests are applied after their types. */
const LATER = { checksTemplate: false }

/** A digest is replaced as a whole, also if only a part of it differs. */
function wholeFields(applying: Applying, code: string, after: Record<string, unknown>) {
  return 'digest' in after ? { ...after, digest: typeFields(applying, code).digest } : after
}

function typeFields({ wanted }: Applying, wantedCode: string) {
  const { code, templates, ...fields } = wanted.notificationTypes!.find(
    (type) => type.code === wantedCode
  )!
  return fields
}

async function applyTemplates(applying: Applying) {
  const ids = await templateIds(applying)
  await eachChange(applying, 'template', ['remove'], ([type, key]) =>
    deleteTemplate(ids.get(type, key))
  )
  await eachChange(applying, 'template', ['add'], ([type, key]) =>
    createTemplate(applying.application.code, type, { key, ...templateFields(applying, type, key) })
  )
  await eachChange(applying, 'template', ['change'], ([type, key], { after }) =>
    updateTemplate(ids.get(type, key), after!)
  )
}

function templateFields({ wanted }: Applying, type: string, wantedKey: string) {
  const { templates } = wanted.notificationTypes!.find(({ code }) => code === type)!
  const { key, versions, ...fields } = templates.find((template) => template.key === wantedKey)!
  return fields
}

/** By the codes of their types and their keys, also of what the transaction has created. */
async function templateIds({ application, trx }: Applying) {
  const templates = await NotificationTemplate.query({ client: trx })
    .whereIn('notificationTypeId', (types) =>
      types.from('notification_types').where('application_id', application.id).select('id')
    )
    .preload('notificationType')
  const ids = new Map(
    templates.map(({ id, key, notificationType }) => {
      return [JSON.stringify([notificationType.code, key]), id]
    })
  )
  return { get: (type: string, key: string) => ids.get(JSON.stringify([type, key]))! }
}
