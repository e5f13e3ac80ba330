import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { Problem } from '#core/exceptions/problem'
import type { RecipientDetails } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import { sensitiveKeysOf } from '#app/delivery/actions/sensitive_keys_of'
import type { Composition } from '#app/delivery/planning/explain_preparation'
import { type ComposedMessage, composeMessage } from '#app/notifications/actions/compose_message'

/** Renders the message of a request whose type exists, or says why it cannot be rendered. */
export async function composeForRecipient(
  resolved: ResolvedRequest,
  { user, brand }: RecipientDetails,
  unsubscribeUrl: string | null
): Promise<Composition<ComposedMessage>> {
  const { request, application, template } = resolved
  const { data = {} } = request
  const triedLocales: string[] = []
  try {
    const message = await composeMessage({
      application,
      template,
      data,
      sensitive: sensitiveKeysOf(resolved),
      locale: request.locale ?? user.locale ?? 'en',
      recipient: { email: user.email, name: user.nameInMessages, brand },
      unsubscribeUrl,
      triedLocales,
    })
    return { message, error: message === null ? 'NO_TEMPLATE' : null, triedLocales }
  } catch (error) {
    logger.warn({ error: describeError(error) }, 'A notification could not be rendered')
    const text = error instanceof Problem ? `: ${error.message}` : ''
    return { message: null, error: `RENDER_ERROR${text}`, triedLocales }
  }
}
