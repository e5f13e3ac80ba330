import { Turns } from '#core/values/turns'
import Language from '#app/platform/models/language'
import type Application from '#app/applications/models/application'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'
import { compiledVersion } from '#app/notifications/rendering/compiled_versions'
import type { CompiledVersion } from '#app/notifications/rendering/compiled_version'
import { valueAt } from '#app/notifications/rendering/data_path'
import { escapeHtml, plainText } from '#app/notifications/rendering/escape'
import { layOut } from '#app/notifications/rendering/layout'
import { render, type Lookup } from '#app/notifications/rendering/render'
import { subjectLine } from '#app/notifications/rendering/subject'
import {
  DEFAULT_LOCALE,
  chooseLocale,
  normalizeLocale,
} from '#app/notifications/values/locale_order'
import {
  isServiceVariable,
  serviceVariables,
  type Recipient,
} from '#app/notifications/values/service_variables'

export { chooseTemplate, missingVariables } from '#app/notifications/actions/choose_template'
export type { Recipient } from '#app/notifications/values/service_variables'

export interface MessageInput {
  application: Application
  /** Null when the type has none: the data's own `subject` and `body` are the message then. */
  template: NotificationTemplate | null
  data: Record<string, unknown>
  /** The wanted locale; the message says which one it got. */
  locale: string
  recipient: Recipient
}

export interface ComposedMessage {
  /** One line of plain text. */
  subject: string
  html: string
  text: string
  locale: string
}

/** Rendering takes turns with everything else, however many messages are asked for at once. */
const turns = new Turns()

/**
 * Renders a message for one person. Null when there is nothing to render (decisions 4.4, `NO_TEMPLATE`).
 *
 * @throws RenderedTooLarge, and TemplateSyntax for a stored version that is broken
 */
export async function composeMessage(input: MessageInput): Promise<ComposedMessage | null> {
  if (input.template === null) return turns.run(() => composeFromData(input))
  const version = await chooseVersion(input.template, input.locale)
  return version && turns.run(() => composeFromVersion(version, input))
}

async function chooseVersion({ id }: NotificationTemplate, wanted: string) {
  const versions = await TemplateVersion.stampsOf(id)
  const locales = versions.map(({ locale }) => locale)
  const chosen = await chooseLocale(wanted, locales, () => Language.fallbacks())
  const stamp = versions.find(({ locale }) => locale === chosen)
  return stamp ? compiledVersion(stamp) : null
}

export function composeFromVersion(
  version: CompiledVersion,
  { application, data, recipient }: Omit<MessageInput, 'template' | 'locale'>
): ComposedMessage {
  const own = serviceVariables(application, recipient)
  const lookup: Lookup = ({ path }) =>
    isServiceVariable(path[0]) ? valueAt(own, path) : valueAt(data, path)
  const { locale, isDocument } = version
  const subject = subjectLine(render(version.subject, lookup))
  const body = render(version.html, lookup)
  const html = isDocument ? body : layOut({ brand: recipient.brand, locale, subject, body })
  return { subject, html, text: render(version.text, lookup), locale }
}

function composeFromData({ data, locale, recipient }: MessageInput): ComposedMessage | null {
  const subject = valueAt(data, ['subject'])
  const body = valueAt(data, ['body'])
  if (typeof subject !== 'string' || typeof body !== 'string') return null
  const used = normalizeLocale(locale) ?? DEFAULT_LOCALE
  const title = subjectLine(subject)
  const text = plainText(body)
  const lines = escapeHtml(text).replaceAll('\n', '<br>\n')
  const html = layOut({ brand: recipient.brand, locale: used, subject: title, body: lines })
  return { subject: title, html, text, locale: used }
}
