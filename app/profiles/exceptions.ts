import { defineProblem } from '#core/exceptions/problem'

export const UserNotFound = defineProblem('USER_NOT_FOUND', 404, 'User not found')
