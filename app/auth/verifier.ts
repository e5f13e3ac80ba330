import authConfig from '#config/auth'
import { TokenVerifier } from '#app/auth/token/token_verifier'

/** This service's own token guard, with the configured issuer and audience. */
export const tokenVerifier = new TokenVerifier(authConfig.token)
