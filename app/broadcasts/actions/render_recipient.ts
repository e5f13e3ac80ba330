import { composeForRecipient } from '#app/delivery/actions/compose_for_recipient'
import type { RecipientDetails } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
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
  request: ResolvedRequest,
  details: RecipientDetails,
  { channels }: DeliveryPlan
): Promise<RenderedRecipient> {
  const unsubscribeUrl = exampleUnsubscribeUrlFor(request.type!)
  const { message, error } = await composeForRecipient(request, details, unsubscribeUrl)
  const recipient = { email: details.user.email, channels, error }
  if (message === null) return { ...recipient, locale: null, subject: null, html: null, text: null }
  const { locale, subject, html, mailText: text } = message
  return { ...recipient, locale, subject, html, text }
}
