import type { Channel } from '#app/delivery/models/delivery'
import { switchesOf } from '#app/notifications/values/switches'

export interface PlanInput {
  type: {
    system: boolean
    userCanDisable: boolean
    emailEnabled: boolean
    pushEnabled: boolean
    defaultEmail: boolean
    defaultPush: boolean
  }
  preference: { email: boolean; push: boolean } | null
  notificationsEnabled: boolean
  active: boolean
  reachable: Record<Channel, boolean>
}

export interface ChannelPlan {
  channels: Channel[]
  skipped: string | null
  inInbox: boolean
}

/** See notifications.md#channel-choice. */
export function planChannels(input: PlanInput): ChannelPlan {
  const { type, preference, reachable } = input
  const inInbox = !type.system
  if (!input.active) return skip('NOTIFICATIONS_DISABLED: the user is deactivated', false)
  if (!input.notificationsEnabled && !type.system) return skip('NOTIFICATIONS_DISABLED', false)
  const { email, push } = switchesOf(type, preference)
  const channels: Channel[] = []
  if (type.emailEnabled && email && reachable.email) channels.push('email')
  if (type.pushEnabled && push && reachable.push) channels.push('push')
  return channels.length === 0 ? skip('NO_CHANNEL', inInbox) : { channels, skipped: null, inInbox }
}

function skip(reason: string, inInbox: boolean): ChannelPlan {
  return { channels: [], skipped: reason, inInbox }
}
