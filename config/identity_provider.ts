import env from '#start/env'

const issuer = env.get('IDP_ISSUER')

export default {
  issuer,
  publicUrl: env.get('IDP_PUBLIC_URL') ?? issuer,
  profilePath: env.get('IDP_PROFILE_PATH') ?? '/ui/console/users/me',
  clientId: env.get('IDP_CLIENT_ID'),
  apiUrl: env.get('IDP_API_URL') ?? issuer,
  serviceAccount: {
    token: env.get('IDP_SERVICE_ACCOUNT_TOKEN'),
    keyFile: env.get('IDP_SERVICE_ACCOUNT_KEY_FILE'),
  },
  /** JSON object: organisation id to application code (decisions 5.1). */
  organisationApplications: env.get('IDP_ORG_APPLICATIONS'),
}
