import { isoTimestamp } from '#core/values/iso_timestamp'
import type PanelSession from '#app/auth/models/panel_session'
import type { PanelAccess } from '#app/auth/panel/panel_access'
import type { AdminStatus } from '#app/checks/actions/read_admin_status'
import type User from '#app/profiles/models/user'

/** See panel.md#own-sessions. */
export function sessionResource(session: PanelSession, current: PanelSession | undefined) {
  const { id, userAgent, address, createdAt, lastSeenAt, expiresAt } = session
  return {
    id,
    /** Whether this request came with it */
    current: id === current?.id,
    /** The header `User-Agent` of the browser */
    userAgent,
    /** IP address from which the session was started */
    address,
    createdAt: isoTimestamp(createdAt),
    /** To the minute */
    lastSeenAt: isoTimestamp(lastSeenAt),
    /** When the session ends, however much it is used */
    expiresAt: isoTimestamp(expiresAt),
  }
}

export function panelUserResource(
  user: User,
  { isSuperAdmin, isGlobalAdmin, mayReadUsers }: PanelAccess,
  applications: AdminStatus['applications'],
  session: PanelSession | undefined
) {
  const { email, firstName, lastName, displayName, locale, theme } = user
  return {
    email,
    firstName,
    lastName,
    displayName,
    locale,
    theme,
    isSuperAdmin,
    /** Whether the user manages all applications, brands and languages */
    isGlobalAdmin,
    /** Whether the user can look up all users */
    mayReadUsers,
    /** All applications that the user sees in the panel, sorted by code */
    applications,
    /** The session of this request; null for a bearer token */
    session: session ? sessionResource(session, session) : null,
  }
}
