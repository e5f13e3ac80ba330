import { DateTime } from 'luxon'
import { invalidField } from '#core/exceptions/problems'
import { transaction } from '#core/database/transaction'
import { wakeOutbox } from '#app/delivery/outbox/outbox_worker'
import Application from '#app/applications/models/application'
import { Forbidden } from '#app/auth/exceptions'
import { findType, readTemplate } from '#app/broadcasts/actions/read_content'
import { EmptyAudience, UnknownRole } from '#app/broadcasts/exceptions'
import Broadcast from '#app/broadcasts/models/broadcast'
import {
  addAddresses,
  audienceSources,
  countPeople,
  hasPeople,
} from '#app/broadcasts/queries/audience_sources'
import type { Audience, WantedAudience } from '#app/broadcasts/values/audience'
import { UnknownNotificationType } from '#app/notifications/exceptions'
import Role from '#app/permissions/models/role'

/** Decisions 4.7. */
export interface WantedBroadcast {
  type: string
  template?: string
  data?: Record<string, unknown>
  locale?: string
  audience: WantedAudience
  ratePerSecond?: number
  /** An ISO timestamp; without it the broadcast begins at once. */
  scheduledAt?: string
}

export interface BroadcastAuthor {
  /** Null for an operator at the command line. */
  email: string | null
  /** Whether they may write to people of all applications. */
  mayReachEverybody: boolean
  /**
   * Whether the author may write to addresses without a user record, even if the application may
   * not.
   */
  mayReachOutsiders: boolean
}

/**
 * Stores a broadcast; any process that works in the background carries it out.
 *
 * @throws ApplicationNotFound, UnknownNotificationType, SystemType, TemplateRequired, UnknownTemplate,
 * MissingTemplateVariables, RenderedTooLarge, UnknownRole, EmptyAudience, Forbidden, and ValidationError for a time that is over
 */
export async function createBroadcast(
  appCode: string,
  wanted: WantedBroadcast,
  author: BroadcastAuthor
): Promise<Broadcast> {
  const { audience: given, data = {} } = wanted
  const { application, audience, templateKey, scheduledAt } = await check(appCode, wanted, author)
  const broadcast = await transaction(async (trx) => {
    const now = DateTime.utc()
    const created = await Broadcast.create(
      {
        applicationId: application.id,
        appCode: application.code,
        type: wanted.type,
        templateKey,
        data,
        locale: wanted.locale ?? null,
        audience,
        ratePerSecond: wanted.ratePerSecond ?? null,
        createdBy: author.email,
        outsideRecipients: author.mayReachOutsiders || application.outsideRecipients,
        status: scheduledAt ? 'scheduled' : 'running',
        scheduledAt,
        startedAt: scheduledAt ? null : now,
        createdAt: now,
      },
      { client: trx }
    )
    await created.refresh()
    if (given.kind !== 'emails') return created
    const total = await addAddresses(created.id, given.emails, trx)
    return created.merge({ total, expanded: true }).save()
  })
  wakeOutbox()
  return broadcast
}

/** How many people the broadcast would be for, after the same checks. */
export async function countAudience(
  appCode: string,
  wanted: WantedBroadcast,
  author: BroadcastAuthor
): Promise<number> {
  const { audience: given } = wanted
  const { application, audience } = await check(appCode, wanted, author)
  if (given.kind === 'emails') return new Set(given.emails).size
  return countPeople(audienceSources(audience, application.id))
}

async function check(appCode: string, wanted: WantedBroadcast, author: BroadcastAuthor) {
  const application = await Application.withCode(appCode)
  if (wanted.audience.kind === 'all' && !author.mayReachEverybody) throw new Forbidden()
  const type = await findType(application, wanted.type)
  if (!type) throw new UnknownNotificationType()
  const template = await readTemplate(type, {
    type: wanted.type,
    templateKey: wanted.template ?? null,
    data: wanted.data ?? {},
  })
  const scheduledAt = readSchedule(wanted.scheduledAt)
  const audience = await readAudience(application, wanted.audience)
  // Until a later time somebody may have come.
  if (wanted.audience.kind !== 'emails' && scheduledAt === null) {
    if (!(await hasPeople(audienceSources(audience, application.id)))) throw new EmptyAudience()
  }
  return { application, audience, templateKey: template?.key ?? null, scheduledAt }
}

function readSchedule(text: string | undefined): DateTime | null {
  if (text === undefined) return null
  const moment = DateTime.fromISO(text, { zone: 'utc' })
  if (moment.toMillis() > Date.now()) return moment
  throw invalidField('scheduledAt', 'future', 'The scheduledAt field must lie in the future')
}

async function readAudience(application: Application, wanted: WantedAudience): Promise<Audience> {
  if (wanted.kind !== 'role') return { kind: wanted.kind }
  const roles = await Role.query().where('applicationId', application.id).orderBy('code')
  const role = roles.find(({ code }) => code === wanted.roleCode)
  if (!role) throw new UnknownRole(roles.map(({ code }) => code))
  return { kind: 'role', roleCode: role.code, roleId: role.id }
}
