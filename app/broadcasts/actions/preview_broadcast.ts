import { Turns } from '#core/values/turns'
import type Application from '#app/applications/models/application'
import { checkBroadcastRequest } from '#app/broadcasts/actions/check_broadcast_request'
import {
  type AudienceSample,
  membersAmong,
  sampleAudience,
} from '#app/broadcasts/queries/audience_sample'
import { audienceSources } from '#app/broadcasts/queries/audience_sources'
import { AudienceTally, type ReasonCount } from '#app/broadcasts/values/audience_tally'
import type { BroadcastAuthor, BroadcastRequest } from '#app/broadcasts/values/broadcast_request'
import { planFor } from '#app/delivery/actions/plan_for'
import { type RecipientDetails, readRecipientsOnly } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import type { Channel } from '#app/delivery/models/delivery'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
import { findOutsiders } from '#app/profiles/actions/find_outsiders'
import { type RenderedRecipient, renderRecipient } from '#app/broadcasts/actions/render_recipient'

/** See broadcasts.md#preview. */
export interface BroadcastPreview {
  /** Recipients of the audience */
  total: number
  /** How many of them the other counts are about */
  examined: number
  /** Recipients whom each channel reaches */
  channels: Record<Channel, number>
  skipped: ReasonCount[]
  /** Recipients who get it later than the others */
  later: ReasonCount[]
  recipients: RenderedRecipient[]
}

/** Recipients whose delivery is planned. */
export const MAX_EXAMINED = 10_000
const CHUNK = 100
const SHOWN = 3

/** A recipient who would get the message. */
interface Candidate {
  request: ResolvedRequest
  details: RecipientDetails
  plan: DeliveryPlan
}

/** Sends and stores nothing. Throws like `createBroadcast`. */
export async function previewBroadcast(
  appCode: string,
  request: BroadcastRequest,
  author: BroadcastAuthor
): Promise<BroadcastPreview> {
  const checked = await checkBroadcastRequest(appCode, request, author)
  const { application, type, template } = checked
  const { total, emails } =
    request.audience.kind === 'emails'
      ? await sampleList(request.audience.emails, application, author)
      : await sampleAudience(audienceSources(checked.audience, application.id), MAX_EXAMINED)
  const { data, locale } = request
  const requestTo = (recipientEmail: string): ResolvedRequest => ({
    request: { recipientEmail, appCode, type: type.code, data, locale },
    application,
    type,
    template,
  })
  const mayReachOutsiders = author.mayReachOutsiders || application.outsideRecipients
  const tally = new AudienceTally()
  const shown: Candidate[] = []
  const turns = new Turns()
  for (let start = 0; start < emails.length; start += CHUNK) {
    const chunk = emails.slice(start, start + CHUNK)
    const outsiders = mayReachOutsiders ? new Set<string>() : await findOutsiders(chunk)
    if (outsiders.size > 0) tally.addSkipped('OUTSIDE_RECIPIENT', outsiders.size)
    const requests = chunk.filter((email) => !outsiders.has(email)).map(requestTo)
    const details = await readRecipientsOnly(requests)
    for (const [index, each] of requests.entries()) {
      if (turns.isOver) await turns.next()
      const plan = planFor(each, details[index])
      tally.add(plan)
      if (plan.skipped === null) consider({ request: each, details: details[index], plan }, shown)
    }
  }
  const recipients: RenderedRecipient[] = []
  for (const { request: each, details, plan } of shown) {
    recipients.push(await renderRecipient(each, details, plan))
  }
  const { channels, skipped, later } = tally
  return { total, examined: emails.length, channels, skipped, later, recipients }
}

/** Prefers recipients with different languages. */
function consider(candidate: Candidate, shown: Candidate[]) {
  if (shown.length < SHOWN) return void shown.push(candidate)
  const languages = shown.map(({ details }) => details.user.locale)
  if (languages.includes(candidate.details.user.locale)) return
  const repeated = languages.findLastIndex((locale, index) => languages.indexOf(locale) < index)
  if (repeated !== -1) shown[repeated] = candidate
}

/**
 * Of addresses that the author has listed, those outside the application are not examined, because
 * the response would reveal who is registered.
 */
async function sampleList(
  listed: string[],
  { id }: Application,
  { mayReachEveryone }: BroadcastAuthor
): Promise<AudienceSample> {
  const unique = [...new Set(listed)]
  const step = Math.max(1, unique.length / MAX_EXAMINED)
  const spread = Array.from(
    { length: Math.min(unique.length, MAX_EXAMINED) },
    (_, index) => unique[Math.floor(index * step)]
  )
  if (mayReachEveryone) return { total: unique.length, emails: spread }
  const members = await membersAmong(spread, audienceSources({ kind: 'application' }, id))
  return { total: unique.length, emails: spread.filter((email) => members.has(email)) }
}
