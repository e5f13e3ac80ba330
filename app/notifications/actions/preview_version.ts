import Brand from '#app/platform/models/brand'
import User from '#app/profiles/models/user'
import { findMissingVariables } from '#app/notifications/rendering/missing_variables'
import { type ComposedMail, composeInTurn } from '#app/notifications/actions/compose_message'
import { findVersion } from '#app/notifications/actions/find_version'
import { prepareVersion } from '#app/notifications/actions/prepare_version'
import { requireLanguage } from '#app/notifications/actions/require_language'
import { lintVersion } from '#app/notifications/linting/lint_version'
import type { TemplateWarning } from '#app/notifications/linting/template_warning'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type { VersionTexts } from '#app/notifications/preparation/prepare_texts'
import { compiledVersionOf } from '#app/notifications/rendering/compiled_version_cache'
import { renderingTurns } from '#app/notifications/rendering/rendering_turns'
import { type CompiledVersion, compileVersion } from '#app/notifications/rendering/compile_version'
import { sensitiveKeys } from '#app/notifications/values/sensitive_variables'
import { unsubscribeUrlFor } from '#app/notifications/values/unsubscribe_token'

export interface Preview {
  subject: string
  html: string
  /** The text part of the mail */
  text: string
  /** What push messages show, and the inbox if it shows no HTML: no link to unsubscribe */
  inboxText: string
  /** Required variables that are missing from the data. A send would be refused. */
  missing: string[]
  warnings: TemplateWarning[]
}

interface PreviewRequest {
  data: Record<string, unknown>
  /** Texts that have not been saved, in place of the stored ones */
  draft: Partial<VersionTexts>
  /** An address */
  viewer: string
  /** Drafts of different authors take turns. */
  author: string
}

type RenderedVersion = ComposedMail & Pick<Preview, 'missing'>

/**
 * @throws TemplateNotFound, TemplateVersionNotFound, LanguageNotFound, RenderedTooLarge, and for a
 *   draft TemplateSyntax, TemplateTooComplex, SecretExposed, RateLimited, Overloaded
 */
export async function previewVersion(
  templateId: number,
  locale: string,
  { data, draft, viewer, author }: PreviewRequest
): Promise<Preview> {
  const template = await NotificationTemplate.withId(templateId)
  const isDraft = draft.subjectTemplate !== undefined || draft.bodyTemplate !== undefined
  const { texts, compiled } = isDraft
    ? await prepareDraft(template, locale, draft, author)
    : await readSaved(template, locale)
  const message = await renderFor(viewer, template, compiled, data)
  const { subject, html, mailText, text, missing } = message
  const { application } = template.notificationType
  const warnings = await renderingTurns.run(() => lintVersion(texts, template, message), {
    group: application.id,
  })
  return { subject, html, text: mailText, inboxText: text, missing, warnings }
}

/**
 * A stored version, as the viewer would receive it.
 * @throws TemplateNotFound, TemplateVersionNotFound, RenderedTooLarge
 */
export async function renderVersion(
  templateId: number,
  locale: string,
  data: Record<string, unknown>,
  viewer: string
): Promise<RenderedVersion> {
  const template = await NotificationTemplate.withId(templateId)
  return renderFor(viewer, template, (await readSaved(template, locale)).compiled, data)
}

async function readSaved({ id }: NotificationTemplate, locale: string) {
  const version = await findVersion(id, locale)
  return { texts: version, compiled: compiledVersionOf(version) }
}

/** A draft of one text needs a stored version, which has the other. */
async function prepareDraft(
  template: NotificationTemplate,
  wanted: string,
  draft: Partial<VersionTexts>,
  author: string
) {
  const locale = await requireLanguage(wanted)
  const isComplete = draft.subjectTemplate !== undefined && draft.bodyTemplate !== undefined
  const saved = isComplete ? null : await findVersion(template.id, locale)
  const texts = await prepareVersion(
    template,
    {
      subjectTemplate: draft.subjectTemplate ?? saved!.subjectTemplate,
      bodyTemplate: draft.bodyTemplate ?? saved!.bodyTemplate,
    },
    author
  )
  return { texts, compiled: compileVersion({ ...texts, locale }) }
}

async function renderFor(
  viewer: string,
  template: NotificationTemplate,
  compiled: CompiledVersion,
  data: Record<string, unknown>
): Promise<RenderedVersion> {
  await template.load('notificationType', (type) => type.preload('application'))
  const { notificationType: type } = template
  const known = await User.findBy({ email: viewer })
  const user = known ?? new User().merge({ email: viewer })
  const message = await composeInTurn(compiled, {
    application: type.application,
    data,
    recipient: { email: viewer, name: user.nameInMessages, brand: await brandOf(user) },
    unsubscribeUrl: known && unsubscribeUrlFor(known, type),
    sensitive: sensitiveKeys(type, template, data),
  })
  return { ...message, missing: findMissingVariables(template, data) }
}

const brandOf = ({ brandId }: User) => (brandId ? Brand.findOrFail(brandId) : Brand.default())
