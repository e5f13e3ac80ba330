import { Problem } from '#core/exceptions/problem'
import type { RecipientDetails } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
import { composeMessage } from '#app/notifications/actions/compose_message'
import { exampleUnsubscribeUrlFor } from '#app/notifications/values/unsubscribe_token'

/** A message as a recipient would get it. */
export interface RenderedRecipient {
  email: string
  channels: Channel[]
  /** The language of the message; null if it cannot be rendered, like the texts */
  locale: string | null
  subject: string | null
  html: string | null
  /** The text part of the mail */
  text: string | null
  /** Why it cannot be rendered, as a status reason */
  error: string | null
}

/** The link to unsubscribe is an example, because the real one works without a sign-in. */
export async function renderRecipient(
  { request, application, type, template }: ResolvedRequest,
  { user, brand }: RecipientDetails,
  { channels }: DeliveryPlan
): Promise<RenderedRecipient> {
  const recipient = { email: user.email, channels }
  const unrendered = { ...recipient, locale: null, subject: null, html: null, text: null }
  try {
    const message = await composeMessage({
      ...{ application, template, data: request.data ?? {} },
      locale: request.locale ?? user.locale ?? 'en',
      recipient: { email: user.email, name: user.nameInMessages, brand },
      unsubscribeUrl: exampleUnsubscribeUrlFor(type!),
    })
    if (message === null) return { ...unrendered, error: 'NO_TEMPLATE' }
    const { locale, subject, html, mailText: text } = message
    return { ...recipient, locale, subject, html, text, error: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...unrendered, error: `RENDER_ERROR: ${error.message}` }
  }
}
