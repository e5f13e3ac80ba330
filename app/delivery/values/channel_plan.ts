import type { Channel } from '#app/delivery/models/delivery'

export interface PlanInput {
  type: {
    system: boolean
    userCanDisable: boolean
    emailEnabled: boolean
    pushEnabled: boolean
    defaultEmail: boolean
    defaultPush: boolean
  }
  /** The person's own switches for the type; null when they never touched them. */
  preference: { email: boolean; push: boolean } | null
  /** The person's switch for all notifications of the application. */
  notificationsEnabled: boolean
  /** False for a deactivated person. */
  active: boolean
  /** Whether the channel leads to the person at all. */
  reachable: Record<Channel, boolean>
}

export interface ChannelPlan {
  channels: Channel[]
  /** Why nothing is attempted; null when something is. */
  skipped: string | null
}

/**
 * Which channels bring a notification to a person (notifications.md#channel-choice): what the administrator allows, what the
 * person wants, and what leads to them. System messages, and types that cannot be switched off, go by the type's
 * defaults whatever was switched before; system messages get past the switch of the application, too. A deactivated
 * person gets nothing.
 */
export function planChannels(input: PlanInput): ChannelPlan {
  const { type, preference, reachable } = input
  if (!input.active) return skip('NOTIFICATIONS_DISABLED: the person is deactivated')
  if (!input.notificationsEnabled && !type.system) return skip('NOTIFICATIONS_DISABLED')
  const own = type.system || !type.userCanDisable ? null : preference
  const channels: Channel[] = []
  if (type.emailEnabled && (own?.email ?? type.defaultEmail) && reachable.email) {
    channels.push('email')
  }
  if (type.pushEnabled && (own?.push ?? type.defaultPush) && reachable.push) channels.push('push')
  return channels.length === 0 ? skip('NO_CHANNEL') : { channels, skipped: null }
}

function skip(reason: string): ChannelPlan {
  return { channels: [], skipped: reason }
}
