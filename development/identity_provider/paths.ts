/** The paths of the real provider. */
export const PATHS = {
  authorization: '/oauth/v2/authorize',
  token: '/oauth/v2/token',
  jwks: '/oauth/v2/keys',
  introspection: '/oauth/v2/introspect',
  revocation: '/oauth/v2/revoke',
  userinfo: '/oidc/v1/userinfo',
  end_session: '/oidc/v1/end_session',
  device_authorization: '/oauth/v2/device_authorization',
  code_verification: '/device',
} as const

export const LOGIN_PATH = '/ui/login/'
export const PROFILE_PATH = '/ui/console/users/me'
export const FORGOTTEN_PASSWORD_PATH = '/ui/login/password/forgotten'
export const NEW_PASSWORD_PATH = '/ui/login/password/init'
