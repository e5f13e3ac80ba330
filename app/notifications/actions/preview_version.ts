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
import { unsubscribeUrlFor } from '#app/notifications/values/unsubscribe_token'

export interface Preview {
  subject: string
  html: string
  /** The text part of the mail */
  text: string
  /** Required variables that are missing from the data. A send would be refused. */
  missing: string[]
}

type RenderedVersion = ComposedMessage & Pick<Preview, 'missing'>

/** @throws TemplateNotFound, TemplateVersionNotFound, RenderedTooLarge */
export async function previewVersion(...of: Parameters<typeof renderVersion>): Promise<Preview> {
  const { subject, html, mailText, missing } = await renderVersion(...of)
  return { subject, html, text: mailText, missing }
}

/** The message, as the viewer would receive it. @throws as `previewVersion` */
export async function renderVersion(
  templateId: number,
  locale: string,
  data: Record<string, unknown>,
  viewer: string
): Promise<RenderedVersion> {
  const version = await findVersion(templateId, locale)
  const template = await NotificationTemplate.withId(templateId)
  await template.load('notificationType', (type) => type.preload('application'))
  const { notificationType: type } = template
  const known = await User.findBy({ email: viewer })
  const user = known ?? new User().merge({ email: viewer })
  const message = composeFromVersion(compiledVersionOf(version), {
    application: type.application,
    data,
    recipient: { email: viewer, name: user.nameInMessages, brand: await brandOf(user) },
    unsubscribeUrl: known && unsubscribeUrlFor(known, type),
    sensitive: sensitiveKeys(type, template, data),
  })
  return { ...message, missing: findMissingVariables(template, data) }
}

const brandOf = ({ brandId }: User) => (brandId ? Brand.findOrFail(brandId) : Brand.default())
