interface Switches {
  email: boolean
  push: boolean
}

interface SwitchableType {
  system: boolean
  userCanDisable: boolean
  defaultEmail: boolean
  defaultPush: boolean
}

/** A user's choices do not count for locked types (notifications.md#locked-types). */
export function switchesOf(type: SwitchableType, own: Switches | null): Switches {
  const chosen = type.userCanDisable && !type.system ? own : null
  return { email: chosen?.email ?? type.defaultEmail, push: chosen?.push ?? type.defaultPush }
}
