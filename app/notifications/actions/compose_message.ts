import type { Owner } from '#core/values/fair_queue'
import Language from '#app/platform/models/language'
import type Application from '#app/applications/models/application'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import { RenderedTooLarge } from '#app/notifications/exceptions'
import TemplateVersion from '#app/notifications/models/template_version'
import { findCompiledVersion } from '#app/notifications/rendering/compiled_version_cache'
import type { CompiledVersion } from '#app/notifications/rendering/compile_version'
import { valueAt } from '#app/notifications/rendering/data_path'
import { escapeHtml, plainText } from '#app/notifications/rendering/escape'
import { type LayoutInput, applyLayout } from '#app/notifications/rendering/layout'
import {
  MAX_RENDERED_LENGTH,
  render,
  type Lookup,
  type Segment,
} from '#app/notifications/rendering/render'
import { renderingTurns } from '#app/notifications/rendering/rendering_turns'
import { subjectLine } from '#app/notifications/rendering/subject'
import { appendLink, unsubscribeLink } from '#app/notifications/rendering/unsubscribe_link'
import { chooseLocale, enabledLocale } from '#app/platform/values/choose_locale'
import { MASK, sensitivePaths, sensitiveTexts } from '#app/notifications/values/sensitive_variables'
import { missingMessageFields } from '#app/notifications/values/missing_message_fields'
import {
  isServiceVariable,
  serviceVariables,
  type Recipient,
} from '#app/notifications/values/service_variables'

export type { Recipient } from '#app/notifications/values/service_variables'

export interface MessageInput {
  application: Application
  /** Null if the type has none: `data` then contains `subject` and `body` */
  template: NotificationTemplate | null
  data: Record<string, unknown>
  locale: string
  recipient: Recipient
  /** If users can switch off the mails of this type */
  unsubscribeUrl?: string | null
  /** Keys of the variables whose values only the recipient sees */
  sensitive?: string[]
  /** Gets the locales that were looked for, in order */
  triedLocales?: string[]
}

/** Without what only the inbox shows */
export interface ComposedMail {
  subject: string
  /** The subject to record, without the values of sensitive variables */
  recordedSubject: string
  html: string
  text: string
  /** The text part of a mail: `text` and what only mails have */
  mailText: string
  locale: string
}

export interface ComposedMessage extends ComposedMail {
  /** What the inbox shows */
  inboxBody: InboxBody
}

export interface InboxBody {
  text: string
  /** A safe fragment; null if there is none, or if it is too long */
  html: string | null
}

/** In characters. An inbox has many messages. */
const MAX_INBOX_BODY = 65_536

/**
 * Null if there is nothing to render (notifications.md#messages-without-a-template).
 * @throws RenderedTooLarge, TemplateSyntax
 */
export async function composeMessage(input: MessageInput): Promise<ComposedMessage | null> {
  const { template, triedLocales } = input
  if (template === null) {
    const locale = await enabledLocale(input.locale, () => Language.registry(), triedLocales)
    return renderingTurns.run(() => composeFromData({ ...input, locale }), ownerOf(input))
  }
  const version = await chooseVersion(template, input.locale, triedLocales)
  return version && composeWithInboxBody(version, input)
}

async function chooseVersion({ id }: NotificationTemplate, wanted: string, tried?: string[]) {
  const versions = await TemplateVersion.stampsOf(id)
  const locales = versions.map(({ locale }) => locale)
  const chosen = await chooseLocale(wanted, locales, () => Language.registry(), tried)
  const stamp = versions.find(({ locale }) => locale === chosen)
  return stamp ? findCompiledVersion(stamp) : null
}

type VersionInput = Omit<MessageInput, 'template' | 'locale'>

const ownerOf = ({ application }: VersionInput): Owner => ({ group: application.id })

/** In two pieces, between which other work can run. */
async function composeWithInboxBody(
  version: CompiledVersion,
  input: VersionInput
): Promise<ComposedMessage> {
  const owner = ownerOf(input)
  const mail = await composeInTurn(version, input)
  const html = await renderingTurns.run(() => renderFragment(version, lookupIn(input)), owner)
  return { ...mail, inboxBody: inboxBodyOf(mail.text, html) }
}

/** @throws RenderedTooLarge */
export const composeInTurn = (version: CompiledVersion, input: VersionInput) =>
  renderingTurns.run(() => composeFromVersion(version, input), ownerOf(input))

/** It has attributes that the mail lacks, so it can be too large although the mail is not. */
function renderFragment(version: CompiledVersion, lookup: Lookup): string | null {
  const fragment = version.fragment()
  try {
    return fragment && render(fragment, lookup)
  } catch (error) {
    if (error instanceof RenderedTooLarge) return null
    throw error
  }
}

function lookupIn({ application, data, recipient }: VersionInput): Lookup {
  const variables = serviceVariables(application, recipient)
  return ({ path }) => (isServiceVariable(path[0]) ? valueAt(variables, path) : valueAt(data, path))
}

/** @throws RenderedTooLarge */
export function composeFromVersion(version: CompiledVersion, input: VersionInput): ComposedMail {
  const { data, recipient, unsubscribeUrl, sensitive = [] } = input
  const lookup = lookupIn(input)
  const { locale, isDocument } = version
  const subject = subjectLine(render(version.subject, lookup))
  const recordedSubject =
    sensitive.length === 0
      ? subject
      : subjectLine(renderMasked(version.subject, lookup, data, sensitive))
  const body = render(version.html, lookup)
  const text = tidyText(render(version.text, lookup), version.text)
  const common = { recordedSubject, text }
  if (isDocument) return { ...common, subject, html: body, mailText: text, locale }
  const message = { brand: recipient.brand, locale, subject, body }
  return { ...common, ...withLayout(message, text, unsubscribeUrl) }
}

/** Sections leave empty lines where they begin and end. */
const tidyText = (text: string, segments: readonly Segment[]) =>
  segments.some((segment) => typeof segment === 'object' && 'segments' in segment)
    ? text.replace(/\n{3,}/g, '\n\n').trim()
    : text

function inboxBodyOf(text: string, html: string | null): InboxBody {
  const isLong = text.length > MAX_INBOX_BODY
  return {
    text: isLong ? `${text.slice(0, MAX_INBOX_BODY - 1).toWellFormed()}…` : text,
    html: html !== null && html.length > MAX_INBOX_BODY ? null : html,
  }
}

/** Masks the variables, and others with the same values. */
function renderMasked(
  segments: readonly Segment[],
  lookup: Lookup,
  data: MessageInput['data'],
  sensitive: string[]
): string {
  const isSensitive = sensitivePaths(sensitive)
  const texts = new Set(sensitiveTexts(data, sensitive))
  return render(
    segments,
    (slot) => (isSensitive(slot.path) ? MASK : lookup(slot)),
    (text) => (texts.has(text) ? MASK : text)
  )
}

function composeFromData(input: MessageInput): ComposedMessage | null {
  const { data, locale, recipient, unsubscribeUrl, sensitive = [] } = input
  if (missingMessageFields(data).length > 0) return null
  const title = subjectLine(String(valueAt(data, ['subject'])))
  const text = withinLimit(plainText(String(valueAt(data, ['body']))))
  const lines = withinLimit(escapeHtml(text).replaceAll('\n', '<br>\n'))
  const message = { brand: recipient.brand, locale, subject: title, body: lines }
  const recordedSubject = sensitivePaths(sensitive)(['subject']) ? MASK : title
  const inboxBody = inboxBodyOf(text, lines)
  return { recordedSubject, text, inboxBody, ...withLayout(message, text, unsubscribeUrl) }
}

/** @throws RenderedTooLarge (notifications.md#message-size) */
function withinLimit(text: string): string {
  if (text.length > MAX_RENDERED_LENGTH) throw new RenderedTooLarge()
  return text
}

function withLayout(
  { brand, locale, subject, body }: Omit<LayoutInput, 'unsubscribe'>,
  text: string,
  unsubscribeUrl: string | null | undefined
) {
  const unsubscribe = unsubscribeUrl ? unsubscribeLink(unsubscribeUrl, locale) : null
  const html = applyLayout({ brand, locale, subject, body, unsubscribe })
  return { subject, html, mailText: appendLink(text, unsubscribe), locale }
}
