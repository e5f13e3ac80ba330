import { defineProblem } from '#core/exceptions/problem'

export const SessionNotFound = defineProblem(
  'SESSION_NOT_FOUND',
  404,
  'Session not found',
  'List your sessions with `GET /api/panel/sessions`.'
)

export const SignInFailed = defineProblem(
  'SIGN_IN_FAILED',
  400,
  'Signing in to the admin panel failed',
  'Sign in again. If it keeps failing, the operator can find the cause in the log.'
)

export const PanelNotBuilt = defineProblem(
  'PANEL_NOT_BUILT',
  503,
  'The admin panel is not built',
  'Ask the operator to run `npm run build`, which also builds the panel.'
)
