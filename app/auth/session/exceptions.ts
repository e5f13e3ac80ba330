import { defineProblem } from '#core/exceptions/problem'
import { InvalidToken } from '#app/auth/exceptions'

export const CrossSite = defineProblem(
  'CROSS_SITE',
  403,
  'The request does not come from the admin panel',
  "Requests with the panel's cookie need the header `X-Concierge-Panel: 1` and must come from the panel's own origin. Other programs use a bearer token."
)

export const PanelNotSetUp = defineProblem(
  'PANEL_NOT_SET_UP',
  503,
  'Signing in to the admin panel is not set up',
  'Ask the operator to set `PANEL_CLIENT_ID`, and `PANEL_CLIENT_SECRET` or `PANEL_CLIENT_KEY_FILE`.'
)

/** The session has expired, or was ended elsewhere. */
export class SessionEnded extends InvalidToken {
  /** A panel that was left open repeats its requests. Unknown secrets are counted when read. */
  override readonly isGuess = false

  constructor() {
    super('The session has ended')
  }
}
