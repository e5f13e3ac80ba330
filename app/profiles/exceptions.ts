import { defineProblem } from '#core/exceptions/problem'

export const UserNotFound = defineProblem('USER_NOT_FOUND', 404, 'User not found')
export const NameRefused = defineProblem(
  'NAME_REFUSED',
  400,
  'The identity provider refused the name',
  'Choose another name. `details.reason` contains the explanation of the identity provider. Many providers do not allow empty first or last names.'
)
export const IdentityConflict = defineProblem(
  'IDENTITY_CONFLICT',
  403,
  'This e-mail address belongs to another account at the identity provider',
  'Sign in with the account that used the address first. A super admin can assign it to another account with `PUT /api/users/:email/identity`.'
)
export const UserInactive = defineProblem(
  'USER_INACTIVE',
  403,
  'This user is deactivated',
  'Deactivated users can only read their own profile and run checks, which are denied. Ask an administrator for help.'
)
