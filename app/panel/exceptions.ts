import { defineProblem } from '#core/exceptions/problem'

export const SessionNotFound = defineProblem(
  'SESSION_NOT_FOUND',
  404,
  'You have no such session',
  'List your sessions with `GET /api/panel/sessions`.'
)

export const SignInFailed = defineProblem(
  'SIGN_IN_FAILED',
  400,
  'Signing in to the admin panel failed',
  'Sign in again. If it fails every time, the operator finds the cause in the log.'
)

export const PanelNotBuilt = defineProblem(
  'PANEL_NOT_BUILT',
  503,
  'The admin panel is not built',
  'The operator runs `npm run build`, which also builds the panel.'
)
