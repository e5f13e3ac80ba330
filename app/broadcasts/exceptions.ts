import { defineProblem } from '#core/exceptions/problem'

export const BroadcastNotFound = defineProblem('BROADCAST_NOT_FOUND', 404, 'Broadcast not found')
export const BroadcastEnded = defineProblem(
  'BROADCAST_ENDED',
  409,
  'The broadcast has ended and cannot be changed'
)
export const BroadcastNotScheduled = defineProblem(
  'BROADCAST_NOT_SCHEDULED',
  409,
  'Only a scheduled broadcast can be changed',
  '`details.status` is its status. If it has not ended yet, cancel it, then create another one.'
)
export const TooManyBroadcasts = defineProblem(
  'TOO_MANY_BROADCASTS',
  409,
  'The application has too many broadcasts that have not ended',
  '`details.limit` is how many it can have. Cancel those that are no longer wanted, or wait until others have ended.'
)
export const EmptyAudience = defineProblem(
  'EMPTY_AUDIENCE',
  400,
  'The audience of the broadcast is empty'
)
export const AudienceChanged = defineProblem(
  'AUDIENCE_CHANGED',
  409,
  'The audience of the broadcast does not have the expected size',
  '`details.total` is its current size. Preview the broadcast again.'
)

const UnknownRoleProblem = defineProblem(
  'UNKNOWN_ROLE',
  400,
  'The application has no role with this code'
)

export class UnknownRole extends UnknownRoleProblem {
  constructor(available: string[]) {
    super({ details: { available } })
  }
}
