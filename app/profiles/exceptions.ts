import { defineProblem } from '#core/exceptions/problem'

export const UserNotFound = defineProblem('USER_NOT_FOUND', 404, 'User not found')
export const NameRefused = defineProblem(
  'NAME_REFUSED',
  400,
  'The identity provider refused the name',
  'Choose another name. `details.reason` is what the identity provider says about it; many do not allow first and last names to be cleared.'
)
