import { defineProblem } from '#core/exceptions/problem'

export const LoginFailed = defineProblem('LOGIN_FAILED', 400, 'The login did not succeed')
