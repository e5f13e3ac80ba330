import Brand from '#app/platform/models/brand'
import User from '#app/profiles/models/user'
import { findMissingVariables } from '#app/notifications/actions/choose_template'
import {
  type ComposedMessage,
  composeFromVersion,
} from '#app/notifications/actions/compose_message'
import { findVersion } from '#app/notifications/actions/find_version'
import NotificationTemplate from '#app/notifications/models/notification_template'
import { compiledVersionOf } from '#app/notifications/rendering/compiled_version_cache'
import { sensitiveKeys } from '#app/notifications/values/sensitive_variables'

export interface Preview {
  subject: string
  html: string
  text: string
  /** Required variables that are missing from the data. A send would be refused. */
  missing: string[]
}

type RenderedVersion = Preview & Pick<ComposedMessage, 'recordedSubject'>

/** @throws TemplateNotFound, TemplateVersionNotFound, RenderedTooLarge */
export async function previewVersion(...of: Parameters<typeof renderVersion>): Promise<Preview> {
  const { subject, html, text, missing } = await renderVersion(...of)
  return { subject, html, text, missing }
}

/** The preview with the subject to record. @throws as `previewVersion` */
export async function renderVersion(
  templateId: number,
  locale: string,
  data: Record<string, unknown>,
  viewer: string
): Promise<RenderedVersion> {
  const version = await findVersion(templateId, locale)
  const template = await NotificationTemplate.withId(templateId)
  await template.load('notificationType', (type) => type.preload('application'))
  const { application } = template.notificationType
  const recipient = await recipientFor(viewer)
  const { subject, recordedSubject, html, text } = composeFromVersion(compiledVersionOf(version), {
    application,
    data,
    recipient,
    sensitive: sensitiveKeys(template.notificationType, template, data),
  })
  return { subject, recordedSubject, html, text, missing: findMissingVariables(template, data) }
}

async function recipientFor(email: string) {
  const user = (await User.findBy({ email })) ?? new User().merge({ email })
  const brand = user.brandId ? await Brand.findOrFail(user.brandId) : await Brand.default()
  return { email, name: user.calledName, brand }
}
