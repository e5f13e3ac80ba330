import authConfig from '#config/auth'
import { TokenVerifier } from '#app/auth/token/token_verifier'

export const tokenVerifier = new TokenVerifier(authConfig.token)
