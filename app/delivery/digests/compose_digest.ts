import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { canonicalTimeZone } from '#core/values/time_zone'
import { Problem } from '#core/exceptions/problem'
import { httpLink } from '#app/applications/values/http_link'
import type { RecipientDetails } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import { BUILT_IN_LANGUAGES, builtInDigest } from '#app/delivery/digests/built_in_digest'
import type { ShownItem, WaitingItems } from '#app/delivery/digests/read_digest_items'
import { pushUrl } from '#app/delivery/push/push_url'
import {
  type ComposedMail,
  composeInTurn,
  composeMessage,
} from '#app/notifications/actions/compose_message'
import { unsubscribeUrlFor } from '#app/notifications/values/unsubscribe_token'
import Language from '#app/platform/models/language'
import { chooseLocale } from '#app/platform/values/choose_locale'
import { timeZoneOf } from '#app/profiles/values/time_zone_of'

/** Everything in it may be sensitive. */
export const SENSITIVE_DIGEST_KEYS = ['items']

export interface DigestComposition {
  mail: ComposedMail | null
  data: Record<string, unknown>
  /** The status reason without a mail */
  error: string | null
  triedLocales: string[]
  /** False if the mail is made from the built-in template */
  usesTemplate: boolean
}

/** Renders the digest in the user's language (digests.md#digest-variables). */
export async function composeDigest(
  resolved: ResolvedRequest,
  details: RecipientDetails,
  items: WaitingItems
): Promise<DigestComposition> {
  const data = await digestData(resolved, details, items)
  const triedLocales: string[] = []
  const { user, brand } = details
  const { application, template, type } = resolved
  const locale = user.locale ?? 'en'
  const input = {
    application,
    data,
    recipient: { email: user.email, name: user.nameInMessages, brand },
    unsubscribeUrl: unsubscribeUrlFor(user, type!),
    sensitive: SENSITIVE_DIGEST_KEYS,
  }
  const common = { data, error: null, triedLocales }
  try {
    const own = template && (await composeMessage({ ...input, template, locale, triedLocales }))
    if (own) return { ...common, mail: own, usesTemplate: true }
    const registry = () => Language.registry()
    const language = await chooseLocale(locale, BUILT_IN_LANGUAGES, registry, triedLocales)
    const builtIn = await builtInDigest(BUILT_IN_LANGUAGES.find((one) => one === language) ?? 'en')
    return { ...common, mail: await composeInTurn(builtIn, input), usesTemplate: false }
  } catch (error) {
    logger.warn({ error: describeError(error) }, 'A digest could not be rendered')
    const text = error instanceof Problem ? `: ${error.message}` : ''
    return { ...common, mail: null, error: `RENDER_ERROR${text}`, usesTemplate: template !== null }
  }
}

async function digestData(
  { application, type }: ResolvedRequest,
  { user }: RecipientDetails,
  { ids, shown }: WaitingItems
) {
  const locale = usableLocale(user.locale)
  const isRelative = ({ url }: ShownItem) => url !== null && httpLink(url) === null
  const base = shown.some(isRelative) ? await pushUrl(application, {}) : null
  const items = shown.map(({ subject, text, url, createdAt }) => ({
    subject,
    text,
    url: url === null ? null : (httpLink(url) ?? (base && httpLink(url, base))),
    createdAt: createdAt.toUTC().toISO(),
    when: inZone(createdAt, timeZoneOf(user)).toLocaleString(DateTime.DATETIME_MED, { locale }),
  }))
  const count = ids.length
  return { items, count, more: count - items.length, typeName: type!.name }
}

function inZone(moment: DateTime, timeZone: string): DateTime {
  const zoned = moment.setZone(canonicalTimeZone(timeZone))
  return zoned.isValid ? zoned : moment.toUTC()
}

/** A locale that Intl does not know would throw. */
function usableLocale(locale: string | null): string {
  try {
    return Intl.getCanonicalLocales(locale ?? 'en')[0]
  } catch {
    return 'en'
  }
}
